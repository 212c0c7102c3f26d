import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { describe, it } from "node:test";
import { FakeClock } from "@weir/testing";
import { Connection, MemcachedError } from "../../../src/registry/memcached/connection.ts";
import { getCommand } from "../../../src/registry/memcached/protocol.ts";

const timeoutMs = 1_000;
const nothing = "END\r\n";

/** A connection to a server that says what a test tells it to, with a clock that is moved by hand. */
class Rig implements AsyncDisposable {
  readonly clock = new FakeClock();
  readonly connection: Connection;
  readonly #server: Server;
  readonly #socket: Promise<Socket>;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.#socket = once(server, "connection").then(([socket]) => socket as Socket);
    this.connection = new Connection({ host: "127.0.0.1", port }, timeoutMs, this.clock);
  }

  static async start(): Promise<Rig> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    return new Rig(server, typeof address === "object" && address !== null ? address.port : 0);
  }

  /** Resolves when the server has heard that many bytes in all. */
  async heard(length: number): Promise<void> {
    const socket = await this.#socket;
    while (socket.bytesRead < length) {
      await once(socket, "data");
    }
  }

  async say(text: string): Promise<void> {
    (await this.#socket).write(text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.connection.close();
    (await this.#socket).destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

describe("a connection to memcached", () => {
  const command = getCommand("key");

  it("waits for a server that answers one command after the other, however long that takes", async () => {
    await using rig = await Rig.start();
    const replies = ["a", "b", "c", "d"].map(() => rig.connection.send(command));
    await rig.heard(command.length * replies.length);

    for (const reply of replies) {
      await rig.clock.advance(timeoutMs - 100);
      await rig.say(nothing);
      assert.deepEqual(await reply, { kind: "line", text: "END" });
    }
  });

  it("does not take the value of another key for the one that was asked for", async () => {
    await using rig = await Rig.start();
    const replies = [rig.connection.send(command, "key"), rig.connection.send(command, "key")];
    await rig.heard(2 * command.length);

    await rig.say("VALUE other 0 1\r\nx\r\nEND\r\nVALUE key 0 1\r\nx\r\nEND\r\n");

    for (const outcome of await Promise.allSettled(replies)) {
      assert.equal(outcome.status, "rejected");
      assert.match(String(outcome.reason), /the value of another key/);
    }
  });

  it("gives up on a server that says nothing for too long", async () => {
    await using rig = await Rig.start();
    const reply = rig.connection.send(command);
    await rig.heard(command.length);

    const refused = assert.rejects(
      reply,
      (error) => error instanceof MemcachedError && error.failure === "silent",
    );
    await rig.clock.advance(timeoutMs);
    await refused;
  });

  it("takes no server for silent whose answer it had no time to read", async () => {
    await using rig = await Rig.start();
    const reply = rig.connection.send(command);
    await rig.heard(command.length);

    await rig.say(nothing);
    await rig.clock.advance(10 * timeoutMs);

    assert.deepEqual(await reply, { kind: "line", text: "END" });
  });
});

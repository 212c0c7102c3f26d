import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Channel, socketOptions } from "@weir/flux/websocket";
import { FakeClock, freePort, until } from "@weir/testing";
import { WebSocket } from "ws";
import { dial } from "../../src/api/upstream/dial.ts";
import { DialError } from "../../src/api/upstream/errors.ts";
import { frame, opcodes, type RawConnection, RawWebSocketServer } from "../support/raw-websocket.ts";

const pingPeriod = 13_333;
const { signal } = new AbortController();

describe("the heartbeat of a connection", () => {
  it("is an empty ping every 13.3 s, the first after one period", async () => {
    await using pair = await Pair.open();

    await pair.clock.advance(pingPeriod - 1);
    await pair.clock.advance(1);
    await until("a ping", () => pair.pings() === 1);
    pair.other.send(opcodes.pong, "");
    await pair.clock.advance(pingPeriod);
    await until("the next", () => pair.pings() === 2);

    assert.ok(pair.other.frames.every(({ payload }) => payload.length === 0));
  });

  it("stops, and the connection ends, where nothing is heard for 30 s", async () => {
    await using pair = await Pair.open();

    await pair.clock.advance(30_000);

    const { code, error } = await pair.channel.closed;
    assert.deepEqual([code, error?.message], [1006, "received nothing from the other side for 30 s"]);
    assert.equal(pair.channel.signal.aborted, true);
  });

  for (const [what, opcode] of [
    ["a pong", opcodes.pong],
    ["a message", opcodes.binary],
  ] as const) {
    it(`goes on for 30 s from ${what}`, async () => {
      await using pair = await Pair.open();
      await pair.clock.advance(29_999);

      pair.other.send(opcode, "x");
      await pair.heard(opcode);
      await pair.clock.advance(29_999);
      pair.other.send(opcodes.binary, "still here");

      await until("the message", () => pair.received.endsWith("still here"));
    });
  }

  it("does not blame the other side for what we do not read", async () => {
    await using pair = await Pair.open();

    pair.channel.pause();
    await pair.clock.advance(100_000);
    pair.other.send(opcodes.binary, "waiting");
    pair.channel.resume();

    await until("the message", () => pair.received === "waiting");
  });
});

describe("a message to a side that does not read", () => {
  it("is waited for no longer than 10 s", async () => {
    await using pair = await Pair.open();
    pair.other.socket.pause();

    const sent = pair.channel.send("x".repeat(64 * 1024 * 1024));
    const failed = assert.rejects(sent);
    await pair.clock.sleeping(10_000);
    await pair.clock.advance(10_000);

    await failed;
    assert.equal((await pair.channel.closed).error?.message, "a message could not be sent within 10 s");
  });
});

describe("what comes in very small parts", () => {
  it("ends the connection where one message is of more frames than any needs", async () => {
    await using pair = await Pair.open();
    const some = Buffer.concat(
      Array.from({ length: 1_000 }, () => frame(opcodes.more, Buffer.of(0x20), false)),
    );

    pair.other.send(opcodes.binary, " ", false);
    for (let sent = 0; sent < 17_000; sent += 1_000) {
      pair.other.socket.write(some);
    }

    const { code } = await pair.other.closeFrame();
    pair.other.socket.end();
    const { error } = await pair.channel.closed;
    assert.deepEqual([code, error?.message], [1008, "Too many message fragments"]);
    assert.equal(pair.received, "");
  });

  it("is read as one where it is of many messages", async () => {
    await using pair = await Pair.open();
    const some = Buffer.concat(Array.from({ length: 1_000 }, () => frame(opcodes.binary, Buffer.of(0x78))));

    for (let sent = 0; sent < 50_000; sent += 1_000) {
      pair.other.socket.write(some);
    }

    await until("all", () => pair.received.length === 50_000);
    assert.equal(pair.channel.signal.aborted, false);
  });
});

describe("the end of a connection", () => {
  for (const [code, isError] of [
    [1000, false],
    [1001, false],
    [1011, true],
  ] as const) {
    it(`by the other side with ${code} is ${isError ? "an error" : "none"}`, async () => {
      await using pair = await Pair.open();
      const payload = Buffer.concat([Buffer.from([code >> 8, code & 255]), Buffer.from("why")]);

      pair.other.send(opcodes.close, payload);
      await until("the answer", () => pair.other.frames.some(({ opcode }) => opcode === opcodes.close));
      pair.other.socket.end();

      const end = await pair.channel.closed;
      assert.deepEqual(
        [end.code, end.error?.message],
        [code, isError ? "the other side closed the connection with code 1011: why" : undefined],
      );
      await assert.rejects(pair.channel.send("x"));
    });
  }

  it("by us has a reason that fits, whatever the letters", async () => {
    for (const [reason, said] of [
      ["é".repeat(100), "é".repeat(61)],
      [`x${"€".repeat(100)}`, `x${"€".repeat(40)}`],
      ["a".repeat(123), "a".repeat(123)],
      ["", ""],
    ] as const) {
      await using pair = await Pair.open();

      void pair.channel.fail(new Error(reason), 1007);

      assert.deepEqual(await pair.other.closeFrame(), { code: 1007, reason: said });
    }
  });

  it("is none where the other side just goes away", async () => {
    await using pair = await Pair.open();

    pair.other.socket.destroy();

    assert.deepEqual(await pair.channel.closed, { code: 1006 });
  });
});

describe("dialling", () => {
  const clock = new FakeClock();

  it("tells why nobody answers", async () => {
    const url = new URL(`ws://user:secret@127.0.0.1:${await freePort()}/v11/daemon`);

    await assert.rejects(dial({ url, userAgent: "fluxd/test", token: "", clock }, signal), (error) => {
      assert.ok(error instanceof DialError);
      assert.match(
        error.message,
        /^executing websocket ws:\/\/user@.*: dial tcp 127.*: connect: connection refused$/,
      );
      return true;
    });
  });

  it("ends when it is told to", async () => {
    const gone = new AbortController();
    const url = new URL(`ws://127.0.0.1:${await freePort()}/`);
    const dialled = dial({ url, userAgent: "fluxd/test", token: "", clock }, gone.signal);

    gone.abort(new Error("enough"));

    await assert.rejects(dialled, /^Error: enough$/);
    await assert.rejects(dial({ url, userAgent: "", token: "", clock }, gone.signal), /^Error: enough$/);
  });
});

/** A channel whose other side is played by hand. */
class Pair implements AsyncDisposable {
  readonly clock = new FakeClock();
  readonly channel: Channel;
  readonly other: RawConnection;
  received = "";
  readonly #server: RawWebSocketServer;
  readonly #heard: number[] = [];

  private constructor(socket: WebSocket, server: RawWebSocketServer, other: RawConnection) {
    this.#server = server;
    this.other = other;
    this.channel = new Channel(socket, this.clock);
    socket.on("pong", () => this.#heard.push(opcodes.pong));
    this.channel.listen((bytes) => {
      this.#heard.push(opcodes.binary);
      this.received += Buffer.from(bytes).toString();
    });
  }

  static async open(): Promise<Pair> {
    const server = await RawWebSocketServer.start();
    const socket = new WebSocket(server.url, socketOptions);
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    return new Pair(socket, server, await server.connection(0));
  }

  pings(): number {
    return this.other.frames.filter(({ opcode }) => opcode === opcodes.ping).length;
  }

  /** Resolves when such a frame has come to the channel. */
  async heard(opcode: number): Promise<void> {
    await until("the frame", () => this.#heard.includes(opcode));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.other.socket.destroy();
    await this.channel.closed;
    await this.#server[Symbol.asyncDispose]();
  }
}

import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { describe, it } from "node:test";
import { type ApiRequest, HttpSender } from "@weir/flux/client";

describe("a server that closes an idle connection just as a request arrives on it", () => {
  it("answers a GET, which is sent again", async () => {
    await using server = await ClosingServer.start();

    assert.deepEqual(await server.answersTo("GET", "GET"), ["200 ok", "200 ok"]);
    assert.equal(server.dropped, 1);
  });

  it("never has to drop a POST", async () => {
    await using server = await ClosingServer.start();

    assert.deepEqual(await server.answersTo("GET", "POST", "POST"), ["200 ok", "200 ok", "200 ok"]);
    assert.equal(server.dropped, 0);
  });

  it("is asked at most twice", async () => {
    await using server = await ClosingServer.start(1);

    await assert.rejects(server.answersTo("GET", "GET"), /^RequestError: .*: EOF$/);
    assert.equal(server.dropped, 2);
  });
});

/** Answers the first request of each connection, and closes the connection when the second arrives. */
class ClosingServer implements AsyncDisposable {
  /** How many requests weren't answered. */
  dropped = 0;
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  readonly #sender = new HttpSender({}, { success: 1024, refusal: 1024 });
  #left: number;

  private constructor(answers: number) {
    this.#left = answers;
    this.#server = createServer((socket) => this.#serve(socket));
  }

  /** Answers as many requests as given, and then drops each. */
  static async start(answers = Infinity): Promise<ClosingServer> {
    const started = new ClosingServer(answers);
    started.#server.listen(0, "127.0.0.1");
    await once(started.#server, "listening");
    return started;
  }

  /** Sends requests with one client, one after the other. */
  async answersTo(...methods: readonly ApiRequest["method"][]): Promise<string[]> {
    const url = new URL(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`);
    const answers = [];
    for (const method of methods) {
      const { status, body } = await this.#sender.send(
        { method, url, headers: {} },
        new AbortController().signal,
      );
      answers.push(`${status} ${body}`);
    }
    return answers;
  }

  #serve(socket: Socket): void {
    let requests = 0;
    this.#open.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", () => {
      requests += 1;
      if (requests === 1 && this.#left > 0) {
        this.#left -= 1;
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
      } else {
        this.dropped += 1;
        socket.destroy();
      }
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#sender.close();
    for (const socket of this.#open) {
      socket.destroy();
    }
    this.#server.close();
    await once(this.#server, "close");
  }
}

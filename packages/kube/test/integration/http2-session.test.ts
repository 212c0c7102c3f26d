import assert from "node:assert/strict";
import { once } from "node:events";
import {
  constants,
  createServer,
  type Http2Server,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import { connect, createServer as createTcpServer, type Socket } from "node:net";
import { describe, it } from "node:test";
import { systemClock } from "@weir/base";
import { until } from "@weir/testing";
import { Http2Session } from "../../src/client/http2-session.ts";
import type { HttpRequest, HttpResponse } from "../../src/rest/transport.ts";

/** A session with a server that treats each stream as it is told to. */
class Setup implements AsyncDisposable {
  readonly session: Http2Session;
  readonly url: string;
  readonly #server: Http2Server;
  readonly #serverSessions: Set<ServerHttp2Session>;

  private constructor(server: Http2Server, serverSessions: Set<ServerHttp2Session>, port: number) {
    this.#server = server;
    this.#serverSessions = serverSessions;
    this.url = `http://127.0.0.1:${port}`;
    this.session = new Http2Session(this.url, connect(port, "127.0.0.1"), systemClock);
  }

  static async with(
    handle: (stream: ServerHttp2Stream) => void,
    settings: { readonly maxConcurrentStreams?: number } = {},
  ): Promise<Setup> {
    const sessions = new Set<ServerHttp2Session>();
    const server = createServer({ settings });
    server.on("session", (session) => sessions.add(session));
    server.on("stream", (stream) => {
      stream.on("error", () => undefined);
      handle(stream);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    return new Setup(server, sessions, typeof address === "object" && address !== null ? address.port : 0);
  }

  get(more: Partial<HttpRequest> = {}): Promise<HttpResponse> {
    return this.session.send({ method: "GET", target: "/x", headers: {}, longLived: false, ...more });
  }

  /** What the server does to the whole connection. */
  eachServerSession(act: (session: ServerHttp2Session) => void): void {
    this.#serverSessions.forEach(act);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.session.close();
    this.eachServerSession((session) => session.destroy());
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

async function textOf(response: HttpResponse): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response.body) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

describe("an HTTP/2 session", () => {
  it("gives the whole of a body that the server ended long before it is read", async () => {
    await using setup = await Setup.with((stream) => {
      stream.respond({ ":status": 201 });
      stream.end("all of it");
    });

    const response = await setup.get({ method: "POST", body: "{}" });
    // Frames come in order: with this answer, the last frame of the first one is in.
    await textOf(await setup.get());

    assert.deepEqual([response.status, await textOf(response)], [201, "all of it"]);
  });

  it("gives the whole of a big body to a slow reader", async () => {
    const big = Buffer.alloc(5_000_000, "0123456789");
    await using setup = await Setup.with((stream) => {
      stream.respond({ ":status": 200 });
      stream.end(big);
    });

    const response = await setup.get();
    let length = 0;
    for await (const chunk of response.body) {
      // Slow is who lets others work between two chunks: the server fills what it may send ahead, and has to wait.
      await new Promise(setImmediate);
      length += chunk.length;
    }

    assert.equal(length, big.length);
  });

  it("reports that a body ended early with its connection", async () => {
    await using setup = await Setup.with((stream) => {
      stream.respond({ ":status": 200 });
      stream.write("half");
    });
    const response = await setup.get();

    const text = textOf(response);
    setup.eachServerSession((session) => session.socket.destroy());

    await assert.rejects(text, { name: "ConnectionError", sent: true });
    await until("the session to be of no use", () => !setup.session.usable);
  });

  it("knows a stream that the server refused for one that was not sent", async () => {
    await using setup = await Setup.with((stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM));

    await assert.rejects(setup.get({ method: "POST", body: "{}" }), { name: "ConnectionError", sent: false });
  });

  it("is unusable once the server goes away, but finishes running requests", async () => {
    const streams: ServerHttp2Stream[] = [];
    await using setup = await Setup.with((stream) => {
      streams.push(stream);
      stream.respond({ ":status": 200 });
    });
    const response = await setup.get();

    setup.eachServerSession((session) => session.goaway());
    await until("the session to be of no use", () => !setup.session.usable);
    streams.forEach((stream) => stream.end("to the end"));

    assert.equal(await textOf(response), "to the end");
    await assert.rejects(setup.get(), { name: "ConnectionError", sent: false });
  });

  it("is full at the server's limit, and has room again when a stream ends", async () => {
    await using setup = await Setup.with((stream) => stream.respond({ ":status": 200 }), {
      maxConcurrentStreams: 2,
    });
    const one = await setup.get();
    assert.equal(setup.session.full, false);

    const two = await setup.get();
    assert.equal(setup.session.full, true);

    one.discard();
    await until("room", () => !setup.session.full);
    two.discard();
  });

  it("ends a stream with the signal's reason, before and after its head has come", async () => {
    const stopping = new AbortController();
    const { signal } = stopping;
    await using setup = await Setup.with((stream) => {
      if (stream.id === 1) {
        stream.respond({ ":status": 200 });
      }
    });
    const begun = await setup.get({ signal });
    const waiting = setup.get({ signal });
    const text = textOf(begun);

    stopping.abort(new Error("enough"));

    await Promise.all([
      assert.rejects(waiting, { message: "enough" }),
      assert.rejects(text, { message: "enough" }),
      assert.rejects(setup.get({ signal }), { message: "enough" }),
    ]);
  });

  it("closes its connection even if written data cannot be sent", async () => {
    const heard = Promise.withResolvers<Socket>();
    const deaf = createTcpServer((other) => heard.resolve(other.pause()));
    await new Promise<void>((resolve) => deaf.listen(0, "127.0.0.1", resolve));
    const address = deaf.address();
    const socket = connect(typeof address === "object" && address !== null ? address.port : 0, "127.0.0.1");
    const closed = once(socket, "close");
    const session = new Http2Session("http://127.0.0.1", socket, systemClock);
    // More than the buffers of a connection hold; frames of the session itself wait behind each other.
    const body = "x".repeat(1 << 20);
    const sent = Array.from({ length: 64 }, () =>
      session.send({ method: "POST", target: "/x", headers: {}, longLived: false, body }),
    );
    const answers = Promise.allSettled(sent);
    await until("the connection to be full", () => socket.writableNeedDrain || socket.bytesWritten > 0);

    session.close();

    await closed;
    assert.ok((await answers).every(({ status }) => status === "rejected"));
    assert.equal(session.usable, false);
    (await heard.promise).destroy();
    await new Promise((resolve) => deaf.close(resolve));
  });
});

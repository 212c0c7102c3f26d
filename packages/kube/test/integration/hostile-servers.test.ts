import assert from "node:assert/strict";
import { createSecureServer } from "node:http2";
import { connect, createServer, type Server, type Socket } from "node:net";
import { describe, it } from "node:test";
import { createServer as createTlsServer } from "node:tls";
import { FakeClock, StartedProgram, snsCertificate, snsKey, until } from "@weir/testing";
import { createRestClient } from "../../src/client/rest-client.ts";
import type { ClusterCredentials } from "../../src/rest/credentials.ts";
import type { RestClient } from "../../src/rest/rest.ts";

/** A server that keeps its clients waiting. */
interface Hostile extends AsyncDisposable {
  readonly credentials: Partial<ClusterCredentials> & Pick<ClusterCredentials, "server">;
  /** True when a request has come as far as it ever will. */
  reached(): boolean;
}

const head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
const tls = { key: snsKey, cert: snsCertificate };

/** Each lets a request come to another point, and leaves it there. */
const servers: Readonly<Record<string, () => Promise<Hostile>>> = {
  "never accepts the connection": neverAccepts,
  "accepts and never answers": () => plain((socket) => void socket.resume()),
  "never ends a response": () =>
    plain((socket) => socket.once("data", () => socket.write(`${head}1\r\n{\r\n`))),
  "sends a byte from time to time": () => plain(trickle),
  "never finishes the TLS handshake": async () => secured(await plain((socket) => void socket.resume())),
  "says nothing after the TLS handshake": () =>
    serveOn(createTlsServer({ ...tls, ALPNProtocols: ["h2"] }), "https", "secureConnection"),
  "never answers over HTTP/2": () => serveOn(createSecureServer(tls), "https", "stream"),
  "never ends a response over HTTP/2": async () => {
    const server = createSecureServer(tls);
    server.on("stream", (stream) => {
      stream.on("error", () => undefined);
      stream.respond({ ":status": 200 });
      stream.write("{");
    });
    return serveOn(server, "https", "stream");
  },
  "is behind an HTTP proxy that never answers": async () =>
    proxied(await plain((socket) => void socket.resume()), "http"),
  "is behind a SOCKS proxy that never answers": async () =>
    proxied(await plain((socket) => void socket.resume()), "socks5"),
  "needs headers that are never there": () => waitsFor("headers"),
  "needs a certificate that is never there": () => waitsFor("tls"),
};

/** A client whose own time limits are never reached: no time passes. */
function clientOf({ credentials }: Hostile): RestClient {
  const usual: Omit<ClusterCredentials, "server"> = {
    namespace: "default",
    tls: () => Promise.resolve({ rejectUnauthorized: false }),
    headers: () => Promise.resolve({}),
    renew: () => false,
  };
  return createRestClient({
    credentials: { ...usual, ...credentials },
    userAgent: "weir/test",
    clock: new FakeClock(),
  });
}

async function lines(client: RestClient, signal?: AbortSignal): Promise<void> {
  const request = { method: "GET", path: "/watch", ...(signal === undefined ? {} : { signal }) } as const;
  for await (const line of client.lines(request)) {
    assert.fail(line);
  }
}

describe("a server that", () => {
  for (const [what, start] of Object.entries(servers)) {
    it(`${what} holds up neither an abort nor the end of the client`, { timeout: 60_000 }, async () => {
      await using server = await start();
      const client = clientOf(server);
      const abort = new AbortController();
      const { signal } = abort;
      const aborted = [client.json({ method: "GET", path: "/x", signal }), lines(client, signal)];
      aborted.forEach((request) => void request.catch(() => undefined));
      await until("the requests to be under way", () => server.reached());

      abort.abort(new Error("enough"));

      for (const request of aborted) {
        await assert.rejects(request, { message: "enough" });
      }
      const cut = [client.json({ method: "GET", path: "/x" }), lines(client)];
      cut.forEach((request) => void request.catch(() => undefined));
      await client.close();
      for (const request of cut) {
        await assert.rejects(request, { name: "ConnectionError" });
      }
      await assert.rejects(client.json({ method: "GET", path: "/x" }), { name: "ConnectionError" });
    });
  }
});

/** A TCP server that doesn't close its side when the client does. */
function plain(handle: (socket: Socket) => void): Promise<Hostile> {
  return serveOn(createServer({ allowHalfOpen: true }, handle), "http");
}

function trickle(socket: Socket): void {
  socket.once("data", () => {
    socket.write(head);
    const timer = setInterval(() => socket.write("1\r\n \r\n"), 5);
    socket.on("close", () => clearInterval(timer));
  });
}

/** `seen`: the event by which a request has come as far as it ever will; by default, data on a connection. */
async function serveOn(
  server: Server,
  scheme: "http" | "https",
  seen?: "stream" | "secureConnection",
): Promise<Hostile> {
  const sockets = new Set<Socket>();
  let isReached = false;
  server.on("connection", (socket: Socket) => {
    sockets.add(socket.on("error", () => undefined));
    socket.once("data", () => {
      isReached ||= seen === undefined;
    });
  });
  server.on("tlsClientError", () => undefined);
  server.on("sessionError", () => undefined);
  server.on("secureConnection", (socket: Socket) => socket.on("error", () => undefined));
  if (seen !== undefined) {
    server.on(seen, () => {
      isReached = true;
    });
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    credentials: { server: `${scheme}://127.0.0.1:${portOf(server)}` },
    reached: () => isReached,
    async [Symbol.asyncDispose]() {
      sockets.forEach((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function secured(hostile: Hostile): Hostile {
  const { server } = hostile.credentials;
  return changed(hostile, { server: server.replace("http:", "https:") });
}

function proxied(hostile: Hostile, scheme: string): Hostile {
  const { host } = new URL(hostile.credentials.server);
  return changed(hostile, { server: "http://cluster.invalid", proxyUrl: `${scheme}://${host}` });
}

function changed(hostile: Hostile, credentials: Hostile["credentials"]): Hostile {
  return {
    credentials,
    reached: () => hostile.reached(),
    [Symbol.asyncDispose]: () => hostile[Symbol.asyncDispose](),
  };
}

/** Credentials of which a part never comes, whatever becomes of the signal. */
function waitsFor(part: "headers" | "tls"): Promise<Hostile> {
  let isReached = false;
  const never = (): Promise<never> => {
    isReached = true;
    return new Promise(() => undefined);
  };
  return Promise.resolve({
    credentials: { server: "https://127.0.0.1:1", [part]: never },
    reached: () => isReached,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
}

/** A listener whose queue of connections is full: the kernel drops whoever knocks. */
async function neverAccepts(): Promise<Hostile> {
  const script =
    "const s = require('node:net').createServer(); s.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {" +
    "require('node:fs').writeSync(1, String(s.address().port)); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); });";
  await using started = new AsyncDisposableStack();
  const listener = started.use(new StartedProgram(process.execPath, ["-e", script]));
  const port = Number(await listener.until("its port", () => listener.stdout || undefined));
  const fillers = Array.from({ length: 8 }, () => connect(port, "127.0.0.1").on("error", () => undefined));
  started.defer(() => fillers.forEach((socket) => socket.destroy()));
  await until("the queue to be full", () => fillers.filter(({ connecting }) => !connecting).length >= 2);
  const all = started.move();
  return {
    credentials: { server: `http://127.0.0.1:${port}` },
    reached: () => true,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { describe, it } from "node:test";
import { answer, serve } from "@weir/testing";
import { createRestClient } from "../../src/client/rest-client.ts";

/** Asks a server for its version through a proxy. */
async function askThrough(proxyUrl: string, server: string): Promise<unknown> {
  const credentials = {
    server,
    namespace: "default",
    proxyUrl,
    tls: () => Promise.resolve({}),
    headers: () => Promise.resolve({}),
    renew: () => false,
  };
  const client = createRestClient({ credentials, userAgent: "weir/test" });
  try {
    // A write, so that a failure is not tried again.
    return await client.json({ method: "PATCH", path: "/version" });
  } finally {
    await client.close();
  }
}

/** Leads two sockets into each other. */
function join(one: Socket, other: Socket): void {
  one.pipe(other).pipe(one);
  [one, other].forEach((socket) => socket.on("error", () => undefined));
}

/** A SOCKS 5 proxy (RFC 1928) with one user (RFC 1929), for connections to IPv4 addresses. */
async function startSocks(user: string, password: string): Promise<Server> {
  const server = createServer((socket) => {
    void (async () => {
      await once(socket, "data");
      socket.write(Buffer.from([5, 2]));
      const [login] = (await once(socket, "data")) as [Buffer];
      const name = login.subarray(2, 2 + (login[1] ?? 0)).toString();
      const given = login.subarray(3 + (login[1] ?? 0)).toString();
      const known = name === user && given === password;
      socket.write(Buffer.from([1, known ? 0 : 1]));
      if (known) {
        const [request] = (await once(socket, "data")) as [Buffer];
        const target = connect(request.readUInt16BE(8), request.subarray(4, 8).join("."));
        await once(target, "connect");
        socket.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 0]));
        join(socket, target);
      }
    })().catch(() => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

describe("a proxy", () => {
  it("by CONNECT is told who we are, and leads to the server", async () => {
    await using server = await serve((_request, response) =>
      answer(response, { status: 200, body: { major: "1" } }),
    );
    await using proxy = await serve(() => undefined);
    const tunnels: string[] = [];
    proxy.server.on("connect", (request, socket: Socket) => {
      tunnels.push(`${request.url ?? ""} ${request.headers["proxy-authorization"] ?? ""}`);
      const [host, port] = (request.url ?? "").split(":");
      const target = connect(Number(port), host, () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        join(socket, target);
      });
    });

    const version = await askThrough(proxy.url.replace("//", "//me:p%40ss@"), server.url);

    assert.deepEqual(version, { major: "1" });
    assert.deepEqual(tunnels, [`${new URL(server.url).host} Basic ${btoa("me:p@ss")}`]);
  });

  it("that refuses is named, without the password", async () => {
    await using proxy = await serve(() => undefined);
    proxy.server.on("connect", (_request, socket) => {
      socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    });
    const { host } = new URL(proxy.url);

    await assert.rejects(askThrough(`http://me:s3cret@${host}`, "http://127.0.0.1:1"), {
      name: "ConnectionError",
      message: `cannot connect to http://127.0.0.1:1: proxy ${host} refused with status 407`,
    });
  });

  it("that speaks SOCKS 5 leads to the server", async () => {
    await using server = await serve((_request, response) =>
      answer(response, { status: 200, body: { major: "1" } }),
    );
    const proxy = await startSocks("me", "p@ss");

    const version = await askThrough(`socks5://me:p%40ss@127.0.0.1:${portOf(proxy)}`, server.url);
    const refused = askThrough(`socks5://me:s3cret@127.0.0.1:${portOf(proxy)}`, server.url);

    assert.deepEqual(version, { major: "1" });
    await assert.rejects(refused, (error) => error instanceof Error && !error.message.includes("s3cret"));
    proxy.close();
  });

  it("of an unknown kind is an error", async () => {
    await assert.rejects(askThrough("gopher://host", "http://127.0.0.1:1"), {
      name: "ConnectionError",
      message: 'cannot connect to http://127.0.0.1:1: proxy-url has an unknown scheme "gopher:"',
    });
  });
});

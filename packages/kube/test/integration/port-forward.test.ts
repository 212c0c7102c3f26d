import assert from "node:assert/strict";
import { connect, createServer, type Server, type Socket } from "node:net";
import { describe, it } from "node:test";
import { answer, serve } from "@weir/testing";
import { request } from "undici";
import { WebSocketServer } from "ws";
import { portForward } from "../../src/client/port-forward.ts";
import type { ClusterCredentials } from "../../src/rest/credentials.ts";

const protocol = "v4.channel.k8s.io";

/** Listens on a free port of the loopback; resolves to it. */
async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/**
 * An API server as far as port-forward goes: it leads each websocket to the port that is asked for on this
 * machine, by the channel protocol of the kubelet, and tells on the error channel where nothing listens there.
 */
async function startStandIn() {
  const asked: string[] = [];
  const websockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => (offered.has(protocol) ? protocol : false),
  });
  const web = await serve((_request, response) => void response.writeHead(404).end());
  web.server.on("upgrade", (upgrade, socket, head) => {
    asked.push(`${upgrade.url ?? ""} ${upgrade.headers.authorization ?? ""}`);
    const port = Number(new URL(upgrade.url ?? "", "http://host").searchParams.get("ports"));
    websockets.handleUpgrade(upgrade, socket, head, (websocket) => {
      const bytes = Buffer.from([port & 0xff, port >> 8]);
      websocket.send(Buffer.from([0, ...bytes]));
      websocket.send(Buffer.from([1, ...bytes]));
      const pod = connect(port, "127.0.0.1");
      pod.on("data", (data) => websocket.send(Buffer.concat([Buffer.of(0), data])));
      pod.on("error", (error) => websocket.send(Buffer.concat([Buffer.of(1), Buffer.from(error.message)])));
      pod.on("close", () => websocket.close());
      websocket.on("message", (data: Buffer) => pod.write(data.subarray(1)));
      websocket.on("close", () => pod.destroy());
    });
  });
  return { web, asked, [Symbol.asyncDispose]: () => web[Symbol.asyncDispose]() };
}

function credentialsFor(server: string): ClusterCredentials {
  return {
    server,
    namespace: "default",
    tls: () => Promise.resolve({}),
    headers: () => Promise.resolve({ Authorization: "Bearer t" }),
    renew: () => false,
  };
}

function optionsFor(url: string, port: number) {
  return { credentials: credentialsFor(url), namespace: "web", pod: "web-1", port };
}

/** All that comes from a socket until it ends. */
async function read(socket: Socket): Promise<string> {
  let text = "";
  for await (const chunk of socket) {
    text += String(chunk);
  }
  return text;
}

describe("portForward", () => {
  it("leads HTTP requests to the pod, one after the other and at once", async () => {
    await using pod = await serve((asked, response) =>
      answer(response, { status: 200, body: { path: asked.url } }),
    );
    await using standIn = await startStandIn();
    const { web, asked } = standIn;
    const port = Number(new URL(pod.url).port);
    await using forward = await portForward(optionsFor(web.url, port));
    const get = async (path: string): Promise<unknown> =>
      (await request(`http://127.0.0.1:${forward.localPort}${path}`)).body.json();

    const answers = [await get("/one"), ...(await Promise.all([get("/two"), get("/three"), get("/four")]))];

    assert.deepEqual(answers, [{ path: "/one" }, { path: "/two" }, { path: "/three" }, { path: "/four" }]);
    assert.equal(asked[0], `/api/v1/namespaces/web/pods/web-1/portforward?ports=${port} Bearer t`);
  });

  it("carries much in both directions without loss", async () => {
    const echo = createServer((socket) => void socket.pipe(socket));
    const port = await listen(echo);
    await using standIn = await startStandIn();
    await using forward = await portForward(optionsFor(standIn.web.url, port));
    const sent = Buffer.alloc(5_000_000, "0123456789abcdef");
    const socket = connect(forward.localPort, "127.0.0.1");
    const got: Buffer[] = [];

    socket.write(sent);
    for await (const chunk of socket) {
      got.push(chunk as Buffer);
      if (got.reduce((sum, { length }) => sum + length, 0) === sent.length) {
        break;
      }
    }

    assert.ok(Buffer.concat(got).equals(sent));
    echo.close();
  });

  it("still brings the answer to a client that has ended its side", async () => {
    const ended = Promise.withResolvers<undefined>();
    const pod = createServer((socket) =>
      socket.once("data", () => void ended.promise.then(() => socket.end("the answer"))),
    );
    const port = await listen(pod);
    await using standIn = await startStandIn();
    await using forward = await portForward(optionsFor(standIn.web.url, port));
    const socket = connect({ port: forward.localPort, host: "127.0.0.1", allowHalfOpen: true });

    socket.end("the question", () => ended.resolve(undefined));

    assert.equal(await read(socket), "the answer");
    pod.close();
  });

  it("says why the pod's port cannot be reached, and ends the connection", async () => {
    const closed = createServer();
    const port = await listen(closed);
    await new Promise((resolve) => closed.close(resolve));
    await using standIn = await startStandIn();
    const errors: string[] = [];
    const onError = (error: Error): unknown => errors.push(`${error.name}: ${error.message}`);
    await using forward = await portForward({ ...optionsFor(standIn.web.url, port), onError });

    const text = await read(connect(forward.localPort, "127.0.0.1")).catch(() => "");

    assert.equal(text, "");
    assert.deepEqual(errors, [`PortForwardError: connect ECONNREFUSED 127.0.0.1:${port}`]);
  });

  it("is refused with the words of the API server before anything listens", async () => {
    await using web = await serve(() => undefined);
    web.server.on("upgrade", (_request, socket) => {
      const body = JSON.stringify({
        kind: "Status",
        code: 404,
        reason: "NotFound",
        message: 'pods "web-1" not found',
      });
      socket.end(
        `HTTP/1.1 404 Not Found\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      );
    });

    await assert.rejects(portForward(optionsFor(web.url, 3030)), {
      name: "KubeApiError",
      message: 'pods "web-1" not found',
      status: { code: 404, reason: "NotFound", message: 'pods "web-1" not found' },
    });
  });

  it("ends with the signal, and its connections with it", async () => {
    const pod = createServer((socket) => socket.on("error", () => undefined).write("hello"));
    const port = await listen(pod);
    await using standIn = await startStandIn();
    const stopping = new AbortController();
    const forward = await portForward({ ...optionsFor(standIn.web.url, port), signal: stopping.signal });
    const socket = connect(forward.localPort, "127.0.0.1");
    await new Promise((resolve) => socket.once("data", resolve));

    stopping.abort(new Error("enough"));
    await new Promise((resolve) => socket.on("error", () => undefined).once("close", resolve));

    const again = connect(forward.localPort, "127.0.0.1");
    const refused = await new Promise((resolve) => again.once("error", (error) => resolve(error.message)));
    assert.match(String(refused), /ECONNREFUSED/);
    pod.close();
  });
});

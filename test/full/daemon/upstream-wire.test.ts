import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { until } from "@weir/testing";
import { Fluxd, fluxctl } from "../../support/fluxd.ts";
import { deployment } from "../../support/manifests.ts";
import { opcodes, type RawConnection, RawWebSocketServer } from "../../support/raw-websocket.ts";
import { TestRepository } from "../../support/repository.ts";

const ping = '{"method":"RPCServer.Ping","params":[{}],"id":0}\n';
const pong = '{"id":0,"result":{},"error":null}';

describe("what an upstream sends over the wire", () => {
  let repository: TestRepository;
  let server: RawWebSocketServer;
  let fluxd: Fluxd;
  let connections = 0;

  before(async () => {
    repository = await TestRepository.create({ "d.yaml": deployment("wired") });
    server = await RawWebSocketServer.start();
    fluxd = await Fluxd.start({
      gitUrl: repository.url,
      flags: ["--embedded-cluster", `--connect=${server.url}/base`, "--token=t0ken"],
    });
  });
  after(async () => {
    await fluxd[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
    await repository[Symbol.asyncDispose]();
  });

  /** The connection that is open now; after one has ended, the next. */
  function current(): Promise<RawConnection> {
    return server.connection(connections);
  }

  /** Sees one connection end, and that the daemon is well and comes back. */
  async function ended(connection: RawConnection): Promise<void> {
    await until("the end of the connection", () => connection.socket.destroyed);
    connections += 1;
    const listed = await fluxctl(fluxd, "list-workloads", "-a");
    assert.equal(listed.code, 0, listed.stderr);
    const next = await current();
    next.send(opcodes.binary, ping);
    assert.deepEqual(await next.answers(1), [pong]);
    next.frames.length = 0;
  }

  it("begins with a handshake as Flux v1 makes it", async () => {
    const { request } = await current();

    assert.match(request, /^GET \/base\/v11\/daemon HTTP\/1\.1\r\n/);
    assert.match(request, /^Authorization: Scope-Probe token=t0ken\r$/im);
    assert.match(request, /^User-Agent: fluxd\/\S+\r$/im);
    assert.match(request, /^Sec-WebSocket-Version: 13\r$/im);
    assert.doesNotMatch(request, /^Sec-WebSocket-(Extensions|Protocol):/im);
  });

  it("is one stream: requests may be joined, in a message of many frames with pings between them", async () => {
    const connection = await current();
    const payload = Buffer.from(ping.repeat(50));

    connection.send(opcodes.binary, payload.subarray(0, 1000), false);
    connection.send(opcodes.ping, "are you there");
    for (let at = 1000; at < payload.length; at += 7) {
      connection.send(opcodes.more, payload.subarray(at, at + 7), at + 7 >= payload.length);
    }

    assert.deepEqual(
      await connection.answers(50),
      Array.from({ length: 50 }, () => pong),
    );
    const answered = await until("the pong", () =>
      connection.frames.find(({ opcode }) => opcode === opcodes.pong),
    );
    assert.equal(answered.payload.toString(), "are you there");
    connection.frames.length = 0;
  });

  it("is passed over where it is text, well formed or not", async () => {
    const connection = await current();

    connection.send(opcodes.binary, ping.slice(0, 10));
    connection.send(opcodes.text, '{"method":"RPCServer.Version","params":[{}],"id":1}');
    connection.send(opcodes.text, Buffer.from([0xff, 0xfe]));
    connection.send(opcodes.binary, ping.slice(10));

    assert.deepEqual(await connection.answers(1), [pong]);
    connection.frames.length = 0;
  });

  it("ends the connection where it is random, with what is wrong, and the daemon dials again", async () => {
    const connection = await current();

    connection.send(opcodes.binary, Buffer.concat([Buffer.of(0x80), randomBytes(10_000)]));

    const { code, reason } = await connection.closeFrame();
    assert.equal(code, 1007);
    assert.match(reason, /^a message begins with /);
    connection.socket.end();
    await ended(connection);
    assert.match(fluxd.log, /component=upstream connectionclosing=true err="a message begins with /);
  });

  it("ends the connection where a frame is of 100 MB, before it has come", async () => {
    const connection = await current();
    const header = Buffer.alloc(10);
    header[0] = 0x82;
    header[1] = 127;
    header.writeBigUInt64BE(100n * 1024n * 1024n, 2);

    connection.socket.write(header);
    connection.socket.write(Buffer.alloc(64 * 1024, "{"));

    assert.equal((await connection.closeFrame()).code, 1009);
    connection.socket.end();
    await ended(connection);
  });

  it("ends the connection where it breaks the rules of websockets", async () => {
    const connection = await current();

    connection.socket.write(Buffer.of(0xf3, 0x00));

    assert.equal((await connection.closeFrame()).code, 1002);
    connection.socket.end();
    await ended(connection);
  });

  it("may be left in the middle of a request", async () => {
    const connection = await current();

    connection.send(opcodes.binary, ping.slice(0, 20));
    connection.socket.resetAndDestroy();

    await ended(connection);
  });

  it("is read no faster than its answers are taken, and not for long where none is", async () => {
    const connection = await current();
    const before = await peakMemory(fluxd);
    const request = '{"method":"RPCServer.ListServices","params":[""],"id":1}'.repeat(1000);

    connection.socket.pause();
    for (let sent = 0; sent < 2000; sent += 1) {
      connection.send(opcodes.binary, request);
    }
    await fluxd.logged('connectionclosing=true err="a message could not be sent within 10 s"');

    assert.ok((await peakMemory(fluxd)) - before < 100_000, "112 MB of requests are not taken in");
    connection.socket.destroy();
    await ended(connection);
  });

  it("is said goodbye to at the end", async () => {
    const connection = await current();

    const stopped = fluxd.stop();

    assert.deepEqual(await connection.closeFrame(), { code: 1000, reason: "ok" });
    assert.deepEqual(await stopped, { code: 0, signal: null });
  });
});

/** The most that a fluxd ever held, in kilobytes. */
async function peakMemory({ pid }: Fluxd): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]);
}

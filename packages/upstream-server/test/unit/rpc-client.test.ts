import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonValue } from "@weir/base";
import { FluxError } from "@weir/flux";
import { FakeClock } from "@weir/testing";
import { RpcStreamStandIn } from "../../../../test/support/rpc-stream-stand-in.ts";
import { FatalError, RemoteError } from "../../src/errors.ts";
import { RpcClient } from "../../src/rpc-client.ts";

describe("a call to a daemon", () => {
  it("is written as Go's client writes it", () => {
    const { stream, call } = connect();

    void call("SyncStatus", "<HEAD>");

    assert.deepEqual(stream.sent, [
      '{"method":"RPCServer.SyncStatus","params":["\\u003cHEAD\\u003e"],"id":1}\n',
    ]);
  });

  it("gets its own answer, whatever the order and wherever the stream is cut", async () => {
    const { stream, call } = connect();
    const [first, second] = [call("Version"), call("Export")];

    for (const byte of Buffer.from(
      '{"id":2,"result":"b","error":null}\n{"id":1,"result":"a","error":null}\n',
    )) {
      stream.receive(Buffer.of(byte));
    }

    assert.deepEqual(await Promise.all([first, second]), ["a", "b"]);
  });

  it("that the daemon refuses rejects with its words", async () => {
    const { stream, call } = connect();
    const refused = [call("Nope"), call("Nope")];

    stream.receive('{"id":1,"result":null,"error":"rpc: can\'t find method RPCServer.Nope"}');
    stream.receive('{"id":2,"result":null,"error":""}');

    await assert.rejects(refused[0] ?? call("x"), new RemoteError("rpc: can't find method RPCServer.Nope"));
    await assert.rejects(refused[1] ?? call("x"), new RemoteError("unspecified error"));
  });

  it("fails with all others when the connection ends, and later ones are told that nobody is there", async () => {
    const { stream, call } = connect();
    const calls = Promise.allSettled([call("Ping"), call("Ping")]);

    stream.end();

    const ended = await calls;
    assert.ok(ended.every((each) => each.status === "rejected" && each.reason instanceof FatalError));
    await assert.rejects(
      call("Ping"),
      (error) => error instanceof FluxError && error.advice.startsWith("Cannot contact"),
    );
    assert.equal(stream.sent.length, 2);
  });

  for (const [what, bytes] of [
    ["no JSON", "{nonsense}"],
    ["no object", "[]"],
    ["neither result nor error", '{"id":1,"result":null,"error":null}'],
    ["an error that is no text", '{"id":1,"result":null,"error":{"a":1}}'],
  ] as const) {
    it(`fails, and the connection is ended, where ${what} comes`, async () => {
      const { stream, call } = connect();
      const failed = assert.rejects(call("Ping"), FatalError);

      stream.receive(bytes);

      await failed;
      assert.equal(stream.failure?.code, 1007);
    });
  }

  it("is not disturbed by answers that nobody waits for", async () => {
    const { stream, call } = connect();
    const answer = call("Version");

    for (const id of ["99", "null", '"1"', "1.5", "12345678901234567890", "{}"]) {
      stream.receive(`{"id":${id},"result":"x","error":null}`);
    }
    stream.receive('{"id":1,"result":"mine","error":null}');

    assert.equal(await answer, "mine");
  });

  it("is given up when its time is over or its caller has gone, and the connection goes on", async () => {
    const { stream, clock, client, call } = connect();
    const late = call("Version");
    const gone = new AbortController();
    const left = client.call("Version", {}, { timeout: 1000 }, gone.signal);

    gone.abort(new Error("gone"));
    await assert.rejects(left, /^Error: gone$/);
    const failed = assert.rejects(late, /did not answer RPCServer\.Version within 1 s/);
    await clock.advance(1000);
    await failed;

    const next = call("Version");
    stream.receive('{"id":1,"result":"late","error":null}{"id":2,"result":"late","error":null}');
    stream.receive('{"id":3,"result":"in time","error":null}');
    assert.equal(await next, "in time");
  });
});

function connect(): {
  stream: RpcStreamStandIn;
  clock: FakeClock;
  client: RpcClient;
  call: (method: string, argument?: JsonValue) => Promise<JsonValue>;
} {
  const stream = new RpcStreamStandIn();
  const clock = new FakeClock();
  const client = new RpcClient(stream, clock);
  const { signal } = new AbortController();
  return {
    stream,
    clock,
    client,
    call: (method, argument = {}) => client.call(method, argument, { timeout: 1000 }, signal),
  };
}

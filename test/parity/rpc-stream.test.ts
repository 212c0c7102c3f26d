import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { silentLogger, systemClock } from "@weir/base";
import { createInspector } from "../../src/api/server/inspector.ts";
import { RpcSession } from "../../src/api/upstream/rpc.ts";
import { standInApiServer } from "../support/api-server-stand-in.ts";
import { standInInspection } from "../support/inspection-stand-in.ts";
import { readTable } from "../support/parity.ts";
import { RpcStreamStandIn } from "../support/rpc-stream-stand-in.ts";

/** What Go's net/rpc/jsonrpc makes of a stream; each character of `stream` is a byte. */
interface Row {
  readonly stream: string;
  /** Sorted. */
  readonly answers: readonly string[];
  /** True where the server hangs up. */
  readonly ends: boolean;
}

describe("a stream of requests", () => {
  for (const row of readTable("upstream/rpc-stream.jsonl") as readonly Row[]) {
    it(`is answered as by Go: ${JSON.stringify(row.stream).slice(0, 100)}`, async () => {
      const { answers, ended } = await play(Buffer.from(row.stream, "latin1"));

      assert.deepEqual(answers.map(normalize), row.answers.map(normalize));
      assert.equal(ended, row.ends);
    });
  }
});

async function play(bytes: Buffer): Promise<{ answers: readonly string[]; ended: boolean }> {
  const stream = new RpcStreamStandIn();
  const { api } = standInApiServer({
    syncStatus: (ref) => Promise.resolve([ref]),
    jobStatus: (id) => Promise.reject(new Error(id)),
  });
  const inspect = createInspector(standInInspection());
  const options = { api, inspect, rpcTimeout: 10_000, logger: silentLogger, clock: systemClock };
  const session = new RpcSession(stream, options);
  const served = session.run();
  stream.receive(bytes);
  await session.idle();
  const ended = stream.failure !== undefined;
  stream.end();
  await served;
  return { answers: stream.sent.toSorted(), ended };
}

/** IDs come back as they were sent, where Go escapes some characters and leaves spaces out. */
function normalize(answer: string): string {
  return JSON.stringify(JSON.parse(answer));
}

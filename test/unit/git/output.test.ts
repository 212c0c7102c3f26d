import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { describe, it } from "node:test";
import { CollectedOutput } from "../../../src/git/output.ts";

describe("collected output", () => {
  it("keeps both outputs apart and in the order in which they came, also letters cut in two", async () => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const collected = new CollectedOutput({ stdout: 100, stderr: 100 });
    collected.collect(stdout, stderr);

    stdout.write(Buffer.from([0xc3]));
    stdout.write(Buffer.from([0xa9, 0x0a]));
    stderr.write("fatal: x\n");
    stdout.end("end\n");
    await collected.stdoutEnded;

    assert.deepEqual(collected.texts(), { stdout: "é\nend\n", stderr: "fatal: x\n" });
    assert.equal(collected.all(), "é\nfatal: x\nend\n");
  });
});

describe("collected output that is too long", () => {
  it("on standard output is told of, and dropped but for its end", async () => {
    const { stdout, collected } = collect();

    stdout.end("x".repeat(101));
    await collected.stdoutEnded;

    assert.deepEqual(collected.flood, { from: "stdout", most: 100 });
    assert.equal(collected.flooded.aborted, true);
    assert.equal(collected.texts().stdout, "");
  });

  it("on standard error is told of at the limit, and not before", async () => {
    const { stdout, stderr, collected } = collect();

    stderr.write("x".repeat(100));
    const before = collected.flood;
    stderr.write("x");
    stdout.end("");
    await collected.stdoutEnded;

    assert.equal(before, undefined);
    assert.deepEqual(collected.flood, { from: "stderr", most: 100 });
  });

  it("is kept by nobody else who listens", () => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const kept: unknown[] = [];
    stdout.on("data", (bytes) => kept.push(bytes));
    stderr.on("data", (bytes) => kept.push(bytes));

    new CollectedOutput({ stdout: 100, stderr: 100 }).collect(stdout, stderr);
    stdout.write("x");
    stderr.write("x");

    assert.deepEqual(kept, []);
  });
});

function collect(): { stdout: PassThrough; stderr: PassThrough; collected: CollectedOutput } {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const collected = new CollectedOutput({ stdout: 100, stderr: 100 });
  collected.collect(stdout, stderr);
  return { stdout, stderr, collected };
}

import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { describe, it } from "node:test";
import { Listeners } from "../../../src/git/listeners.ts";
import { CollectedOutput } from "../../../src/git/output.ts";

describe("collected output", () => {
  it("keeps both outputs apart and in the order in which they came, also letters cut in two", async () => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const collected = new CollectedOutput();
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

describe("listeners", () => {
  it("are called until they unsubscribe, also where that happens meanwhile", () => {
    const listeners = new Listeners();
    const calls: string[] = [];
    const second = listeners.add(() => calls.push("second"));
    listeners.add(() => {
      calls.push("first");
      second();
    });

    listeners.call();
    listeners.call();

    assert.deepEqual(calls, ["second", "first", "first"]);
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { StartedProgram } from "../../src/started-program.ts";

function started(script: string): StartedProgram {
  return new StartedProgram("sh", ["-c", script]);
}

describe("a started program", () => {
  it("is waited for, and ended", async () => {
    await using program = started("echo begun; echo trouble >&2; exec sleep 1000");

    const found = await program.until(
      "both lines",
      () => program.output.length > 13 && /beg(.*)/.exec(program.stdout),
    );

    assert.equal(found?.[1], "un");
    assert.equal(program.stderr, "trouble\n");
    assert.deepEqual(await program.end("SIGTERM"), { code: null, signal: "SIGTERM" });
  });

  it("isn't waited for once it has ended, which its output explains", async () => {
    await using program = started("echo 'no such file' >&2; exit 3");

    await assert.rejects(
      program.until("a port", () => /port (\d+)/.exec(program.stdout)?.[1]),
      /waiting for a port: the program has ended; the output is:\nno such file\n/,
    );
    await assert.rejects(
      program.until("an answer", async () => Promise.reject(new Error("refused"))),
      /waiting for an answer: the program has ended/,
    );
    assert.deepEqual(await program.ended(), { code: 3, signal: null });
  });

  it("is looked at once more after its end, because the last output comes with it", async () => {
    await using program = started("echo port 80");
    await program.ended();

    assert.equal(await program.until("a port", () => /port (\d+)/.exec(program.stdout)?.[1]), "80");
  });

  it("says so if it can't be started", async () => {
    await using program = new StartedProgram("/no/such/program", []);

    await assert.rejects(
      program.until("a port", () => false),
      /has ended/,
    );
    await assert.rejects(program.ended(), /ENOENT/);
  });

  it("is disposed of also where something that it started keeps its output open", async () => {
    const program = started("sleep 1000 & echo $!; wait");
    const child = Number(await program.until("the child", () => /^(\d+)\n/.exec(program.stdout)?.[1]));

    await program[Symbol.asyncDispose]();

    process.kill(child);
  });
});

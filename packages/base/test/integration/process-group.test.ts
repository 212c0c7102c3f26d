import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { FakeClock, processEnd, TempFolder, until } from "@weir/testing";
import { systemClock } from "../../src/clock.ts";
import { type GroupCommand, type GroupResult, runInGroup } from "../../src/node/process-group.ts";

const never = new AbortController().signal;
const hour = 3_600_000;

describe("runInGroup", () => {
  it("gives what was printed and how it ended", async () => {
    const { end, stdout, stderr, both } = await sh("echo out; echo err >&2; exit 3");

    assert.deepEqual(end, { kind: "exit", code: 3 });
    assert.deepEqual([stdout.toString(), stderr], ["out\n", "err\n"]);
    assert.deepEqual(both.split("\n").sort(), ["", "err", "out"]);
  });

  it("gives the environment that it is told to, no input, and the folder", async () => {
    using folder = new TempFolder();

    const { stdout } = await sh("env | grep -v -e PWD -e SHLVL -e ^_= -e ^WEIR_RUN=; cat; pwd", {
      cwd: folder.path,
      env: { ONLY: "this", PATH: process.env["PATH"] },
    });

    const lines = stdout.toString().split("\n").sort();
    assert.deepEqual(lines, ["", folder.path, "ONLY=this", `PATH=${process.env["PATH"]}`].sort());
  });

  it("ends a command that takes too long, with its children, who do not listen either", async () => {
    using folder = new TempFolder();

    const { end, stdout } = await sh(
      "trap '' TERM; echo begun; sh -c 'trap \"\" TERM; echo $$ > deaf; while :; do sleep 1; done' & sleep 1000 & echo $! > meek; wait",
      { cwd: folder.path, timeout: 5_000 },
    );

    assert.deepEqual(end, { kind: "timeout" });
    assert.equal(stdout.toString(), "begun\n");
    await processEnd(pidIn(folder, "deaf"));
    await processEnd(pidIn(folder, "meek"));
  });

  it("counts as too long what ends well only because it is asked to end", async () => {
    const { end } = await sh("trap 'exit 0' TERM; sleep 1000 & wait", { timeout: 5_000 });

    assert.deepEqual(end, { kind: "timeout" });
  });

  it("does not wait for a child in the background longer than for the command, and leaves none", async () => {
    using folder = new TempFolder();

    const held = await sh("sleep 1000 & echo $! > holds", { cwd: folder.path, timeout: 5_000 });
    const free = await sh("sleep 1000 >&- 2>&- & echo $! > free", { cwd: folder.path });

    assert.deepEqual([held.end, free.end], [{ kind: "timeout" }, { kind: "exit", code: 0 }]);
    await processEnd(pidIn(folder, "holds"));
    await processEnd(pidIn(folder, "free"));
  });

  it("ends children that made groups of their own, also those that lost their parents", async () => {
    using folder = new TempFolder();

    const { end } = await sh(
      "setsid sh -c 'echo $$ > stray; exec sleep 1000' & (setsid sh -c 'echo $$ > lost; exec sleep 1000' &); setsid sh -c 'setsid sh -c \"echo \\$\\$ > daemon; exec sleep 1000\" >&- 2>&- &'; wait",
      { cwd: folder.path, timeout: 5_000 },
    );

    assert.deepEqual(end, { kind: "timeout" });
    await processEnd(pidIn(folder, "stray"));
    await processEnd(pidIn(folder, "lost"));
    await processEnd(pidIn(folder, "daemon"));
  });

  it("leaves no daemon behind where the command itself ends in time", async () => {
    using folder = new TempFolder();

    const { end } = await sh(
      "setsid sh -c 'setsid sh -c \"trap : TERM; echo \\$\\$ > daemon; exec sleep 1000\" >&- 2>&- &'; while ! test -s daemon; do sleep 0.1; done",
      { cwd: folder.path },
    );

    assert.deepEqual(end, { kind: "exit", code: 0 });
    await processEnd(pidIn(folder, "daemon"));
  });

  it("does not wait for one of which nobody can know, also where it holds an output", async () => {
    using folder = new TempFolder();

    const { end } = await sh(
      "(env -i PATH=$PATH setsid sh -c 'echo $$ > hidden; exec sleep 1000' &); sleep 1000",
      { cwd: folder.path, timeout: 5_000 },
    );

    assert.deepEqual(end, { kind: "timeout" });
    process.kill(pidIn(folder, "hidden"));
  });

  it("ends a command that prints without end, and keeps what it may print", async () => {
    const { end, stdout } = await sh("yes", { mostOutput: 1_000_000 });

    assert.deepEqual(end, { kind: "flood" });
    assert.ok(stdout.length <= 1_000_000);
  });

  it("keeps the end of errors without end", async () => {
    const { end, stderr } = await sh("head -c 1000000 /dev/zero | tr '\\0' x >&2; echo the end >&2");

    assert.deepEqual(end, { kind: "exit", code: 0 });
    assert.ok(stderr.length < 70_000);
    assert.match(stderr, /^\.\.\. \(\d+ bytes left out\)\nx+the end\n$/);
  });

  it("ends a command when it is told to, and begins none after that", async () => {
    using folder = new TempFolder();
    const stop = new AbortController();

    const running = sh("echo $$ > pid; exec sleep 1000", { cwd: folder.path }, stop.signal);
    await until("the command to run", () => pidIn(folder, "pid") > 0);
    stop.abort();

    assert.deepEqual((await running).end, { kind: "aborted" });
    assert.deepEqual((await sh("echo x", {}, stop.signal)).end, { kind: "aborted" });
    await processEnd(pidIn(folder, "pid"));
  });

  it("says why a command cannot be started", async () => {
    const nowhere = await sh("true", { cwd: "/nowhere/at/all" });
    const unsayable = await sh("true \0");

    assert.equal(nowhere.end.kind, "unstarted");
    assert.equal(unsayable.end.kind, "unstarted");
  });

  it("says which signal ended a command", async () => {
    assert.deepEqual((await sh("kill -KILL $$")).end, { kind: "signal", signal: "SIGKILL" });
  });

  it("ends a command at its limit by the clock that it is given", async () => {
    const clock = new FakeClock();

    const result = sh("exec sleep 1000", { clock });
    await clock.sleeping(hour);
    await clock.advance(hour);

    assert.deepEqual((await result).end, { kind: "timeout" });
  });

  it("takes a time limit that is longer than any timer", async () => {
    assert.deepEqual((await sh("true", { timeout: 24_000 * hour })).end, { kind: "exit", code: 0 });
  });
});

function sh(
  script: string,
  options: Partial<GroupCommand> = {},
  signal: AbortSignal = never,
): Promise<GroupResult> {
  const command = {
    program: "/bin/sh",
    args: ["-c", script],
    cwd: "/",
    env: { PATH: process.env["PATH"] },
    clock: systemClock,
    timeout: hour,
    mostOutput: 1 << 20,
    ...options,
  };
  return runInGroup(command, signal);
}

function pidIn(folder: TempFolder, file: string): number {
  return Number(readFileSync(join(folder.path, file), "utf8"));
}

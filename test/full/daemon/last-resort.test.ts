import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { until } from "@weir/testing";
import { runFluxctl } from "../../support/fluxctl.ts";
import { Fluxd } from "../../support/fluxd.ts";
import { configMap } from "../../support/manifests.ts";
import { TestRepository } from "../../support/repository.ts";

/** A program with a fault in it. */
function faulty(fault: string, message: string): Readonly<Record<string, string>> {
  const injected = join(import.meta.dirname, "..", "..", "support", "injected-fault.ts");
  return { NODE_OPTIONS: `--import=${injected}`, INJECTED_FAULT: fault, INJECTED_MESSAGE: message };
}

describe("a fault that nobody caught", () => {
  for (const fault of ["exception", "rejection"]) {
    it(`ends fluxd in order, and is logged without secrets, as an ${fault === "exception" ? fault : "unhandled rejection"}`, async () => {
      await using repository = await TestRepository.create({ "a.yaml": configMap("a") });
      await using fluxd = await Fluxd.start({
        gitUrl: repository.url,
        flags: ["--embedded-cluster", "--connect=ws://127.0.0.1:9", "--token=token-canary"],
        env: faulty(`${fault} on SIGUSR2`, "cannot use token-canary\nhere"),
      });
      await fluxd.ready();
      await until("the mirror", async () => (await readdir(join(fluxd.folder, "tmp"))).length > 0);

      const exit = await fluxd.stop("SIGUSR2");

      assert.deepEqual(exit, { code: 1, signal: null });
      assert.match(
        fluxd.log,
        /err="cannot use <redacted>\\nhere" at="at (?:process\.)?fail \(.*injected-fault\.ts:\d+:\d+\)[^"]*" info="internal error in fluxd, exiting; please report this"/,
      );
      assert.match(fluxd.log, / exiting="an internal error in fluxd"\n/);
      assert.doesNotMatch(fluxd.log, /token-canary/);
      const [, ...last] = fluxd.log.slice(fluxd.log.indexOf(' err="cannot use')).trimEnd().split("\n");
      assert.deepEqual(
        last.filter((line) => !line.startsWith("ts=")),
        [],
        "nothing goes past the logger",
      );
      assert.deepEqual(await readdir(join(fluxd.folder, "tmp")), [], "nothing is left behind");
    });
  }

  it("ends fluxctl with a message", async () => {
    const { exit, stdout, stderr } = await runFluxctl(
      ["list-workloads", "--url=http://127.0.0.1:9/api/flux"],
      faulty("exception when it waits for SIGINT", "no luck"),
    );

    assert.deepEqual(
      { exit, stdout, stderr },
      { exit: 1, stdout: "", stderr: "Error: this is a bug in fluxctl; please report it: no luck\n" },
    );
  });
});

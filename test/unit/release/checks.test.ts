import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { checks, runChecks } from "../../../dev/release/checks.ts";

const { signal } = new AbortController();

describe("the checks of a release", () => {
  it("are those that docs/releasing.md names", () => {
    const page = readFileSync(join(import.meta.dirname, "../../../docs/releasing.md"), "utf8");
    const [, list = ""] = /fails one of the checks (.*) of `npm test`/.exec(page) ?? [];

    const named = [...list.matchAll(/`([^`]+)`/g)].map(([, name]) => name);

    assert.deepEqual(named, checks);
  });

  it("run one after the other, and all of them, if none fails", async () => {
    const ran: string[] = [];

    await runChecks(checks, (name) => Promise.resolve(void ran.push(name)), signal);

    assert.deepEqual(ran, checks);
  });

  for (const failing of checks) {
    it(`end with ${failing} if that fails, and say so`, async () => {
      const ran: string[] = [];

      const checked = runChecks(
        checks,
        (name) => {
          ran.push(name);
          return name === failing ? Promise.reject(new Error("it ended with 1")) : Promise.resolve();
        },
        signal,
      );

      await assert.rejects(checked, { message: `the check "${failing}" failed, as printed above` });
      assert.deepEqual(ran, checks.slice(0, checks.indexOf(failing) + 1));
    });
  }

  it("end with the release, whichever of them runs", async () => {
    const stopped = new AbortController();
    const reason = new Error("stopped");

    const checked = runChecks(
      checks,
      () => {
        stopped.abort(reason);
        return Promise.reject(new Error("killed"));
      },
      stopped.signal,
    );

    await assert.rejects(checked, reason);
  });
});

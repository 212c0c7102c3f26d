import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseFluxdArgs } from "../../cmd/fluxd/config.ts";
import { readTable } from "../support/parity.ts";

interface Recorded {
  readonly args: readonly string[];
  readonly stderr: string;
  readonly exit: 0 | 2;
}

describe("the usage of fluxd", () => {
  for (const { args, stderr, exit } of readTable("fluxd/usage.jsonl") as readonly Recorded[]) {
    it(`is for "${args.join(" ")}" what pflag prints`, () => {
      const outcome = parseFluxdArgs(args, { HOME: "/root" });

      assert.deepEqual(outcome, { kind: "usage", stderr, exitCode: exit });
    });
  }
});

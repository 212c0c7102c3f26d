import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonValue } from "@weir/base";
import { decodeUpdateSpec, encodeUpdateResult, releaseCommitMessage } from "@weir/flux";
import { plan, type World } from "../../dev/testing/src/update-world.ts";
import { readTable } from "../support/parity.ts";

/** A release, what it was made from, and what Flux v1 wrote into the commit and its note. */
interface Line extends Pick<World, "git" | "registry"> {
  readonly id: string;
  readonly spec: JsonValue;
  readonly result: JsonValue;
  readonly message: string;
}

describe("releases, as Flux v1 makes them", () => {
  for (const line of readTable("releases/commits.jsonl") as readonly Line[]) {
    it(line.id, () => {
      const spec = decodeUpdateSpec(line.spec);
      assert.ok(spec.type === "image" || spec.type === "containers" || spec.type === "auto");

      const result = plan(spec, line);

      assert.deepEqual(encodeUpdateResult(result), line.result);
      assert.equal(releaseCommitMessage(spec, result).trimEnd(), line.message);
    });
  }
});

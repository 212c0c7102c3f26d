import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { imageNotCachedError, type RepositoryMetadata, ScanningDisabledError } from "@weir/flux";
import { imageScans } from "../../../../src/daemon/queries/image-scans.ts";
import { NeverReadError } from "../../../../src/registry/registry.ts";

const never = new AbortController().signal;

function state(known: RepositoryMetadata | Error) {
  const registry = {
    repositoryMetadata: () => (known instanceof Error ? Promise.reject(known) : Promise.resolve(known)),
  };
  return imageScans(["app:1"], registry, never);
}

describe("what scans found", () => {
  const known = { tags: [], images: new Map() };
  for (const [title, given, answer] of [
    ["is known", known, { state: "scanned", error: "" }],
    ["is old after a scan that failed", { ...known, scanError: "gone" }, { state: "stale", error: "gone" }],
    ["is nothing yet", imageNotCachedError(), { state: "waiting", error: "" }],
    ["is why nothing could be read", new NeverReadError("refused"), { state: "failed", error: "refused" }],
    ["is nothing without scans", new ScanningDisabledError(), { state: "off", error: "" }],
    ["can't be read", new Error("no cache"), { state: "failed", error: "no cache" }],
  ] as const) {
    it(title, async () => {
      assert.deepEqual(await state(given), [{ image: "app:1", ...answer }]);
    });
  }
});

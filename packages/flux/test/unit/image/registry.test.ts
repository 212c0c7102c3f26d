import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FluxError } from "../../../src/errors/flux-error.ts";
import { parseImageRef } from "../../../src/image/ref.ts";
import { unscannedRegistry } from "../../../src/image/registry.ts";

describe("a registry before its first scan", () => {
  it("says of everything that it is missing yet", async () => {
    const { signal } = new AbortController();
    const app = parseImageRef("app:1");

    for (const asked of [
      unscannedRegistry.image(app, signal),
      unscannedRegistry.repositoryMetadata(app, signal),
    ]) {
      await assert.rejects(
        asked,
        (error) =>
          error instanceof FluxError && error.kind === "missing" && error.message === "item not in cache",
      );
    }
  });
});

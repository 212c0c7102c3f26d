import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { joinDocuments } from "../../src/manifests/documents.ts";
import type { Manifest } from "../../src/manifests/manifest.ts";
import { parseManifests } from "../../src/manifests/parse.ts";
import { applyManifestPatch, createManifestPatch } from "../../src/manifests/patch/manifest-patch.ts";
import { checkSource } from "../../src/manifests/yaml/source-text.ts";
import { readTable } from "../support/parity.ts";

interface Line {
  readonly id: string;
  readonly original: string;
  readonly modified: string;
  readonly patch: string;
  /** The patch applied to the original. */
  readonly applied: string;
}

describe("patches of generated manifests, byte for byte", () => {
  for (const line of readTable("golden/manifest-patches.jsonl") as readonly Line[]) {
    it(line.id, () => {
      const original = manifestsIn(line.original);

      const patch = createManifestPatch(original, manifestsIn(line.modified));
      const applied = applyManifestPatch(original, manifestsIn(line.patch));
      const documents = applied.map(({ manifest, text }) => text ?? manifest.content.bytes);

      assert.equal(patch, line.patch);
      assert.equal(joinDocuments(documents), line.applied);
    });
  }
});

function manifestsIn(text: string): readonly Manifest[] {
  const { manifests, error } = parseManifests(checkSource(text), "manifests.yaml");
  assert.equal(error, undefined);
  return manifests;
}

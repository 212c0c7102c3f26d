import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checkSource } from "@weir/yaml/go-yaml";
import { joinDocuments } from "../../src/manifests/documents.ts";
import type { Manifest } from "../../src/manifests/manifest.ts";
import { parseManifests } from "../../src/manifests/parse.ts";
import { applyManifestPatch, createManifestPatch } from "../../src/manifests/patch/manifest-patch.ts";
import { readTable } from "../support/parity.ts";

interface Line {
  readonly id: string;
  readonly original: string;
  readonly modified: string;
  readonly patch: string;
  /** The patch applied to the original. */
  readonly applied: string;
  /** Why Flux makes no patch, or cannot apply it; null where it does. */
  readonly createError: string | null;
  readonly applyError: string | null;
}

describe("patches of generated manifests, byte for byte", () => {
  for (const line of readTable("golden/manifest-patches.jsonl") as readonly Line[]) {
    it(line.id, () => {
      const original = manifestsIn(line.original);

      const create = (): string => createManifestPatch(original, manifestsIn(line.modified));
      const apply = (): string => patchedText(original, manifestsIn(line.patch));

      if (line.createError !== null) {
        assert.throws(create);
      } else if (line.applyError !== null) {
        assert.equal(create(), line.patch);
        assert.throws(apply);
      } else {
        assert.equal(create(), line.patch);
        assert.equal(apply(), line.applied);
      }
    });
  }
});

function patchedText(original: readonly Manifest[], patch: readonly Manifest[]): string {
  const patched = applyManifestPatch(original, patch);
  return joinDocuments(patched.map(({ manifest, text }) => text ?? manifest.content.bytes));
}

function manifestsIn(text: string): readonly Manifest[] {
  const { manifests, error } = parseManifests(checkSource(text), "manifests.yaml");
  assert.equal(error, undefined);
  return manifests;
}

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ParsedFileCache } from "../../../src/manifests/parsed-file-cache.ts";
import { parsedFile } from "../../support/parsed-manifests.ts";

describe("ParsedFileCache", () => {
  const sound = parsedFile("{kind: ConfigMap, metadata: {name: a}}", "a.yaml");
  const broken = parsedFile("[", "a.yaml");
  const first = ParsedFileCache.empty.after([{ blobId: "1", file: sound }]);

  it("finds a file by its path and content", () => {
    assert.deepEqual(
      [
        first.find("a.yaml", "1"),
        first.find("a.yaml", "2"),
        first.find("b.yaml", "1"),
        first.find("a.yaml", undefined),
      ],
      [sound, undefined, undefined, undefined],
    );
  });

  it("remembers what a file held before it broke, for as long as it is broken", () => {
    const second = first.after([{ blobId: "2", file: broken }]);
    const third = second.after([{ blobId: "3", file: broken }]);

    assert.deepEqual(third.soundManifests("a.yaml"), sound.manifests);
    assert.deepEqual(third.find("a.yaml", "3"), broken);
  });

  it("forgets files that are gone", () => {
    const second = first.after([]);

    assert.deepEqual([second.find("a.yaml", "1"), second.soundManifests("a.yaml")], [undefined, []]);
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  canonicalImageRef,
  InvalidImageRefError,
  parseImageRef,
  printImageRef,
  registryOf,
  repositoryOf,
  withTag,
} from "@weir/flux";
import { readTable } from "../support/parity.ts";

interface Line {
  readonly id: string;
  readonly input: string;
  readonly error: string | null;
}

describe("image references, as Flux v1 reads them", () => {
  for (const line of readTable("golden/image-refs.jsonl") as readonly Line[]) {
    it(`${line.id}: ${JSON.stringify(line.input)}`, () => {
      assert.deepEqual(describeRef(line), line);
    });
  }
});

function describeRef({ id, input }: Line): object {
  try {
    const ref = parseImageRef(input);
    return {
      id,
      input,
      error: null,
      domain: ref.domain,
      image: ref.image,
      tag: ref.tag,
      sha: ref.sha,
      components: [ref.domain, ref.image, ref.tag],
      string: printImageRef(ref),
      canonical: printImageRef(canonicalImageRef(ref)),
      registry: registryOf(ref),
      repository: repositoryOf(ref),
      withNewTag: printImageRef(withTag(ref, "new")),
    };
  } catch (error) {
    assert.ok(error instanceof InvalidImageRefError);
    return { id, input, error: error.message };
  }
}

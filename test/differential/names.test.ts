import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  canonicalImageName,
  parseImageRef,
  parseImageRefLoosely,
  parseResourceId,
  parseResourceIdIn,
  printImageName,
  printImageRef,
} from "@weir/flux";
import { fc, runs } from "@weir/testing/property";
import { anyIdText } from "./support/generators/ids.ts";
import { anyImageText } from "./support/generators/images.ts";
import { canonicalName, printRef, readRef } from "./support/model/image-ref.ts";
import { readArgumentId, readId } from "./support/model/resource-id.ts";

describe("an image reference", () => {
  it("is read, or refused, as in Flux, and keeps the same parts", () => {
    fc.assert(
      fc.property(anyImageText, (text) => {
        const { ok, ...parts } = readRef(text);

        assert.deepEqual(
          orNothing(() => parseImageRef(text)),
          ok ? parts : undefined,
        );
        assert.deepEqual(parseImageRefLoosely(text), parts);
      }),
      runs(5000),
    );
  });

  it("prints as in Flux, and is of the same repository", () => {
    fc.assert(
      fc.property(anyImageText.map(readRef), ({ ok, ...ref }) => {
        fc.pre(ok);

        assert.equal(printImageRef(ref), printRef(ref));
        assert.equal(printImageName(canonicalImageName(ref)), canonicalName(ref));
      }),
      runs(2000),
    );
  });
});

describe("a resource ID", () => {
  it("is read, or refused, as in Flux", () => {
    fc.assert(
      fc.property(anyIdText, (text) => {
        assert.equal(
          orNothing(() => parseResourceId(text)),
          readId(text),
        );
        assert.equal(
          orNothing(() => parseResourceIdIn("ns", text)),
          readArgumentId("ns", text),
        );
      }),
      runs(5000),
    );
  });
});

function orNothing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

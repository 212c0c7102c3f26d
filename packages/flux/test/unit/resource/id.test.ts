import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { makeResourceId, parseResourceId, partsOfResourceId } from "../../../src/resource/id.ts";

describe("resource ids", () => {
  it("never read as if they were of a plain namespace that they were not made of", () => {
    const odd = fc.string({
      unit: fc.constantFrom("team", ":", "/", "..", "configmap", "%", "<cluster>", "a"),
    });
    const plain = /^[^:/]*$/;

    fc.assert(
      fc.property(odd, fc.stringMatching(/^[a-z]{1,9}$/), odd, (namespace, kind, name) => {
        const read = partsOfResourceId(makeResourceId(namespace, kind, name)).namespace;

        assert.ok(read === namespace || !plain.test(read), `${namespace} reads as ${read}`);
      }),
      { numRuns: 5_000 },
    );
    assert.equal(
      partsOfResourceId(makeResourceId("team/../default", "ConfigMap", "a")).namespace,
      "team/../default",
    );
  });

  it("read back what they were made of", () => {
    const word = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,8}$/);

    fc.assert(
      fc.property(fc.oneof(word, fc.constant("<cluster>")), word, word, (namespace, kind, name) => {
        const id = parseResourceId(makeResourceId(namespace, kind, name));

        assert.deepEqual(partsOfResourceId(id), { namespace, kind, name });
      }),
    );
  });
});

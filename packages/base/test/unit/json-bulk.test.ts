import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { isJsonArray, isJsonObject, type JsonValue } from "../../src/json.ts";
import { excessOf } from "../../src/json-bulk.ts";

function excess(text: string, depth: number, values: number): string | undefined {
  return excessOf(Buffer.from(text), { depth, values });
}

/** The depth of a value, and how many values and keys are in it and are it. */
function bulkOf(value: JsonValue): { readonly depth: number; readonly values: number } {
  const items = isJsonArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  const inner = items.map((item) => bulkOf(item ?? null));
  const keys = isJsonObject(value) ? items.length : 0;
  return {
    depth: Math.max(0, ...inner.map(({ depth }) => depth)) + (typeof value === "object" && value ? 1 : 0),
    values: inner.reduce((sum, { values }) => sum + values, 1 + keys),
  };
}

describe("the bulk of a JSON text", () => {
  it("is within its bounds exactly where the value is as deep as it may be", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (given) => {
        const text = JSON.stringify(given);
        const { depth } = bulkOf(given);

        assert.equal(excess(text, depth, Infinity), undefined);
        assert.equal(excess(text, depth - 1, Infinity), depth === 0 ? excess(text, -1, Infinity) : "depth");
      }),
    );
  });

  it("counts no fewer values than there are, and no more than one for each container beside them", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (given) => {
        const text = JSON.stringify(given, undefined, 1);
        const { values } = bulkOf(given);

        assert.equal(excess(text, Infinity, 2 * values), undefined);
        assert.equal(excess(text, Infinity, values / 2 - 1), "values");
      }),
    );
  });

  it("passes over what stands in strings", () => {
    assert.equal(excess('{"a\\"[[[,,,":"]}\\\\"}', 1, 4), undefined);
    assert.equal(excess('["never ends \\', 1, 4), undefined);
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { KubeApiError } from "@weir/kube";
import fc from "fast-check";
import { demanded, parseFieldSelector, selectsFields } from "../../../src/api/field-selector.ts";

const fields = { "metadata.name": "web", "status.phase": "Running", note: "a,b=c\\" };

describe("parseFieldSelector", () => {
  for (const text of [
    "",
    ",",
    "metadata.name=web",
    "metadata.name==web,status.phase!=Failed",
    "note=a\\,b\\=c\\\\",
    "missing!=x",
  ]) {
    it(`selects by ${JSON.stringify(text)}`, () => {
      assert.ok(selectsFields(parseFieldSelector(text), fields));
    });
  }

  for (const text of [
    "metadata.name=db",
    "metadata.name!=web",
    "status.phase=Running,metadata.name=db",
    "missing=x",
  ]) {
    it(`leaves out by ${JSON.stringify(text)}`, () => {
      assert.ok(!selectsFields(parseFieldSelector(text), fields));
    });
  }

  it("refuses a term without a comparison", () => {
    assert.throws(() => parseFieldSelector("metadata.name=a,b"), KubeApiError);
  });

  it("finds what is demanded of a field", () => {
    const selector = parseFieldSelector("a!=1,a=2");

    assert.equal(demanded(selector, "a"), "2");
    assert.equal(demanded(selector, "b"), undefined);
  });

  it("reads back any value that was escaped", () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const escaped = value.replaceAll(/[\\,=]/g, "\\$&");

        assert.deepEqual(parseFieldSelector(`a=${escaped}`), [{ field: "a", equal: true, value }]);
      }),
    );
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseJsonPath } from "../../../src/custom-resources/json-path.ts";

const object = {
  spec: { size: 3, "a.b": "dotted", parts: [{ name: "x" }, { name: "y", count: 2 }] },
  metadata: { labels: { "app.kubernetes.io/name": "web" } },
  status: {
    conditions: [
      { type: "Ready", status: "True" },
      { type: "Stalled", status: "False" },
    ],
  },
};

describe("parseJsonPath", () => {
  const found: Readonly<Record<string, readonly unknown[]>> = {
    ".spec.size": [3],
    "{.spec.size}": [3],
    "$.spec.size": [3],
    ".spec.a\\.b": ["dotted"],
    ".metadata.labels.app\\.kubernetes\\.io/name": ["web"],
    ".spec['a.b']": ["dotted"],
    ".spec.parts[0].name": ["x"],
    ".spec.parts[-1].name": ["y"],
    ".spec.parts[*].name": ["x", "y"],
    ".spec.parts[*].count": [2],
    ".spec.parts[5].name": [],
    ".spec.missing.more": [],
    ".status.conditions[?(@.type=='Ready')].status": ["True"],
    '.status.conditions[?(@.type!="Ready")].status': ["False"],
    ".spec.constructor": [],
  };
  for (const [path, values] of Object.entries(found)) {
    it(`follows ${path}`, () => {
      assert.deepEqual(parseJsonPath(path)?.(object), values);
    });
  }

  it("does not understand what is no path", () => {
    for (const path of [".spec[", "..", ".spec[a]", ".a b"]) {
      assert.equal(parseJsonPath(path), undefined, path);
    }
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseResourceId, type ResourcePreview } from "@weir/flux";
import { dedent } from "@weir/testing";
import { printChanges, printDiff, summarize } from "../../../../../cmd/fluxctl/output/diff.ts";
import { plain } from "../../../../../cmd/fluxctl/output/paint.ts";

const revision = "0123456789abcdef";

function configMap(value: string) {
  return { kind: "ConfigMap", apiVersion: "v1", metadata: { name: "a" }, data: { colour: value } };
}

function preview(given: Partial<ResourcePreview>): ResourcePreview {
  return {
    id: parseResourceId("shop:configmap/a"),
    apiVersion: "v1",
    source: "",
    action: "leave",
    before: null,
    after: null,
    error: "",
    reason: "",
    ...given,
  };
}

const changed = preview({
  action: "change",
  source: "a.yaml",
  before: configMap("red"),
  after: configMap("blue"),
});
const deleted = preview({ action: "delete", before: configMap("red") });
const refused = preview({
  action: "create",
  source: "b.yaml",
  after: { kind: "Unknown" },
  error: 'no matches\n  for kind "Unknown"',
});
const left = preview({ source: "c.yaml", reason: "ignore annotation in file" });

describe("a diff", () => {
  it("is one that tools for patches read, with a title above each file", () => {
    assert.equal(
      printDiff({ revision, changes: [changed] }, plain),
      dedent(`
        change shop:configmap/a (a.yaml)
        --- live/shop:configmap/a
        +++ 0123456/shop:configmap/a
        @@ -1,6 +1,6 @@
         apiVersion: v1
         data:
        -  colour: red
        +  colour: blue
         kind: ConfigMap
         metadata:
           name: a
      `),
    );
  });

  it("shows what goes whole, and what is refused with its reason", () => {
    assert.equal(
      printDiff({ revision, changes: [deleted, refused, left] }, plain),
      dedent(`
        delete shop:configmap/a
        --- live/shop:configmap/a
        +++ /dev/null
        @@ -1,6 +0,0 @@
        -apiVersion: v1
        -data:
        -  colour: red
        -kind: ConfigMap
        -metadata:
        -  name: a
        create shop:configmap/a (b.yaml)
        refused: no matches for kind "Unknown"
        --- /dev/null
        +++ 0123456/shop:configmap/a
        @@ -0,0 +1,1 @@
        +kind: Unknown
        leave shop:configmap/a (c.yaml): ignore annotation in file
      `),
    );
  });

  it("can be had in lines", () => {
    assert.equal(
      printChanges({ changes: [changed, deleted, refused, left] }, plain),
      dedent(`
        change  shop:configmap/a  a.yaml
        delete  shop:configmap/a
        create  shop:configmap/a  b.yaml  refused: no matches for kind "Unknown"
        leave   shop:configmap/a  c.yaml  ignore annotation in file
      `),
    );
  });

  it("is summed up in a sentence", () => {
    assert.equal(
      summarize({ revision, changes: [changed, deleted, refused, left] }),
      "At 0123456: 1 to create, 1 to change, 1 to delete, 1 refused.",
    );
    assert.equal(summarize({ revision, changes: [left] }), "At 0123456: nothing to change.");
  });
});

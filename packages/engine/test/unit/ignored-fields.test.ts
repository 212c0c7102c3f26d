import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { kubeObject } from "@weir/testing";
import { lastAppliedAnnotation, withLastApplied } from "../../src/diff/last-applied.ts";
import { liveWithoutFields, withoutFields } from "../../src/ignored-fields.ts";

const object = kubeObject`
  apiVersion: apps/v1
  kind: Deployment
  metadata: { name: web, annotations: { example.test/note: hello } }
  spec:
    replicas: 3
    template: { spec: { containers: [{ name: main, image: a }, { name: side, image: b }] } }
  extra: 1
`;

describe("withoutFields", () => {
  it("takes out fields at any depth", () => {
    const cut = withoutFields(object, ["/spec/replicas", "/spec/template/spec/containers/1/image"]);

    assert.deepEqual(cut.spec, {
      template: { spec: { containers: [{ name: "main", image: "a" }, { name: "side" }] } },
    });
  });

  it("takes out items of lists, members with slashes in their names, and whole fields", () => {
    const cut = withoutFields(object, [
      "/spec/template/spec/containers/0",
      "/metadata/annotations/example.test~1note",
      "/extra",
    ]);

    assert.deepEqual(cut, {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web", annotations: {} },
      spec: { replicas: 3, template: { spec: { containers: [{ name: "side", image: "b" }] } } },
    });
  });

  it("leaves alone what a pointer does not find, and what makes an object one", () => {
    const pointers = [
      "/spec/nothing/here",
      "/spec/template/spec/containers/7",
      "/status/x",
      "/kind",
      "/metadata",
    ];

    assert.deepEqual(withoutFields(object, pointers), object);
  });
});

describe("liveWithoutFields", () => {
  it("cuts what was applied last to the same shape as a target cut before it is applied", () => {
    const pointers = ["/spec/replicas"];
    const live = { ...withLastApplied(object), status: { replicas: 3 } };

    const applied = withLastApplied(withoutFields(object, pointers)).metadata.annotations?.[
      lastAppliedAnnotation
    ];

    assert.equal(liveWithoutFields(live, pointers).metadata.annotations?.[lastAppliedAnnotation], applied);
  });

  it("does without an annotation", () => {
    assert.deepEqual(liveWithoutFields(object, ["/extra"]), withoutFields(object, ["/extra"]));
  });
});

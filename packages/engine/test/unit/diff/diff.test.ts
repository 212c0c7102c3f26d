import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { KubeObject } from "@weir/kube";
import { PatchError } from "@weir/kube/patch";
import { kubeObject, schemaOf } from "@weir/testing";
import { diffThreeWay } from "../../../src/diff/diff.ts";
import { lastAppliedAnnotation, lastAppliedText, withLastApplied } from "../../../src/diff/last-applied.ts";

const service = schemaOf("v1", "Service");

describe("diffThreeWay", () => {
  it("sends nothing if the live object is as applied", () => {
    const target = web("[{port: 80}]");
    const live = { ...withLastApplied(target), status: { loadBalancer: {} } };

    assert.deepEqual(diffThreeWay({ target, live, schema: service }), { kind: "unchanged" });
    assert.deepEqual(diffThreeWay({ target: withLastApplied(target), live, schema: service }), {
      kind: "unchanged",
    });
  });

  it("sends a strategic merge patch for kinds with a schema, the new annotation in it", () => {
    const target = web("[{port: 443}]");
    const live = withLastApplied(web("[{port: 80}]"));

    assert.deepEqual(diffThreeWay({ target, live, schema: service }), {
      kind: "patch",
      patchType: "application/strategic-merge-patch+json",
      patch: {
        metadata: { annotations: { [lastAppliedAnnotation]: lastAppliedText(withLastApplied(target)) } },
        spec: {
          "$setElementOrder/ports": [{ port: 443 }],
          ports: [{ port: 443 }, { port: 80, $patch: "delete" }],
        },
      },
    });
  });

  it("sends a JSON merge patch for kinds without one", () => {
    const target = web("[{port: 443}]");
    const live = withLastApplied(web("[{port: 80}]"));

    assert.deepEqual(diffThreeWay({ target, live, schema: undefined }), {
      kind: "patch",
      patchType: "application/merge-patch+json",
      patch: {
        metadata: { annotations: { [lastAppliedAnnotation]: lastAppliedText(withLastApplied(target)) } },
        spec: { ports: [{ port: 443 }] },
      },
    });
  });

  it("reverts drift, and nothing else", () => {
    const target = web("[{port: 80, targetPort: 8080}]");
    const applied = withLastApplied(target);
    const live = { ...applied, spec: { clusterIP: "10.0.0.1", ports: [{ port: 80, targetPort: 1 }] } };

    assert.deepEqual(diffThreeWay({ target, live, schema: service }), {
      kind: "patch",
      patchType: "application/strategic-merge-patch+json",
      patch: { spec: { "$setElementOrder/ports": [{ port: 80 }], ports: [{ port: 80, targetPort: 8080 }] } },
    });
  });

  it("takes over an object that was never applied, and deletes nothing of it", () => {
    const target = web("[{port: 80}]");
    const live = { ...web("[{port: 80}]"), spec: { ports: [{ port: 80 }], type: "NodePort" } };

    assert.deepEqual(diffThreeWay({ target, live, schema: service }), {
      kind: "patch",
      patchType: "application/strategic-merge-patch+json",
      patch: {
        metadata: { annotations: { [lastAppliedAnnotation]: lastAppliedText(withLastApplied(target)) } },
      },
    });
  });

  it("refuses another object, and one in another version of its API", () => {
    const target = web("[{port: 80}]");

    for (const live of [
      { ...target, apiVersion: "v2" },
      { ...target, kind: "Pod" },
      { ...target, metadata: { name: "other" } },
    ]) {
      assert.throws(() => diffThreeWay({ target, live, schema: service }), PatchError);
    }
  });

  it("refuses a live object whose last-applied configuration is broken", () => {
    const live = { ...web("[]"), metadata: { name: "web", annotations: { [lastAppliedAnnotation]: "{" } } };

    assert.throws(() => diffThreeWay({ target: web("[{port: 80}]"), live, schema: service }), PatchError);
  });
});

function web(ports: string): KubeObject {
  return kubeObject`
    apiVersion: v1
    kind: Service
    metadata: {name: web}
    spec: {ports: ${ports}}
  `;
}

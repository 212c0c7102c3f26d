import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { kubeObject } from "@weir/testing";
import { crdHealth } from "../../../src/health/crd.ts";

describe("crdHealth", () => {
  it("is progressing until it is established", () => {
    const live = kubeObject`
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: { name: widgets.example.test }
      status: { conditions: [{ type: NamesAccepted, status: "True" }, { type: Established, status: "False" }] }
    `;

    assert.deepEqual(crdHealth(live), { status: "Progressing", message: "the kind is not served yet" });
  });

  it("is healthy when it is", () => {
    const live = kubeObject`
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: { name: widgets.example.test }
      status: { conditions: [{ type: NamesAccepted, status: "True" }, { type: Established, status: "True" }] }
    `;

    assert.deepEqual(crdHealth(live), { status: "Healthy", message: "" });
  });

  it("is degraded when its names are taken", () => {
    const live = kubeObject`
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: { name: widgets.example.test }
      status: { conditions: [{ type: NamesAccepted, status: "False", message: '"Widget" is in use' }] }
    `;

    assert.deepEqual(crdHealth(live), { status: "Degraded", message: '"Widget" is in use' });
  });
});

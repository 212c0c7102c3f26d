import assert from "node:assert/strict";
import { it } from "node:test";
import { kubeObject } from "@weir/testing";
import { shownFields } from "../../../src/diff/shown-fields.ts";

it("shows what people write into manifests, and nothing of what the server keeps for itself", () => {
  const live = kubeObject`
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: a
      namespace: b
      uid: 0000
      resourceVersion: "7"
      generation: 2
      creationTimestamp: "2020-01-01T00:00:00Z"
      labels: { app: web }
      annotations: { kubectl.kubernetes.io/last-applied-configuration: "{}", note: x }
      managedFields: []
      finalizers: [example.test/keep]
    data: { a: b }
    status: { done: true }
  `;

  assert.deepEqual(
    shownFields(live),
    kubeObject`
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: a
        namespace: b
        labels: { app: web }
        annotations: { note: x }
        finalizers: [example.test/keep]
      data: { a: b }
    `,
  );
});

it("leaves annotations out where the server's are all there are", () => {
  const live = kubeObject`
    apiVersion: v1
    kind: ConfigMap
    metadata: { name: a, annotations: { kubectl.kubernetes.io/last-applied-configuration: "{}" } }
  `;

  assert.deepEqual(shownFields(live), { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } });
});

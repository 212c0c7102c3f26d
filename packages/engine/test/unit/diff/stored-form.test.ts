import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { KubeObject } from "@weir/kube";
import { kubeObject } from "@weir/testing";
import { storedForm } from "../../../src/diff/stored-form.ts";

describe("storedForm", () => {
  it("returns the same object if there is nothing to fill in", () => {
    for (const object of [
      of("v1", "ConfigMap", "{a: b}"),
      of("apps/v1", "Deployment", "{replicas: 1}"),
      of("apps/v1", "Deployment", "{strategy: {type: Recreate}}"),
      of("apps/v1", "Deployment", "{strategy: text}"),
      of("example.com/v1", "Deployment", "{strategy: {type: RollingUpdate}}"),
      of("__proto__/v1", "constructor", "{}"),
    ]) {
      assert.equal(storedForm(object), object);
    }
  });

  const filled: readonly (readonly [string, string, string, string])[] = [
    [
      "apps/v1",
      "Deployment",
      "{strategy: {}}",
      "{strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 25%, maxUnavailable: 25%}}}",
    ],
    [
      "apps/v1",
      "StatefulSet",
      "{volumeClaimTemplates: [{spec: {}}, {spec: {volumeMode: Block}, status: {}}]}",
      `{volumeClaimTemplates: [
        {apiVersion: v1, kind: PersistentVolumeClaim, spec: {volumeMode: Filesystem}, status: {phase: Pending}},
        {apiVersion: v1, kind: PersistentVolumeClaim, spec: {volumeMode: Block}, status: {phase: Pending}}]}`,
    ],
    [
      "networking.k8s.io/v1",
      "NetworkPolicy",
      "{ingress: [{ports: [{port: 1}]}, {}], egress: [{ports: [{port: 2, protocol: UDP}]}]}",
      "{ingress: [{ports: [{port: 1, protocol: TCP}]}, {}], egress: [{ports: [{port: 2, protocol: UDP}]}]}",
    ],
    [
      "batch/v1",
      "CronJob",
      "{jobTemplate: {spec: {template: {spec: {volumes: [{projected: {sources: [{serviceAccountToken: {}}]}}]}}}}}",
      "{jobTemplate: {spec: {template: {spec: {volumes: [{projected: {sources: [{serviceAccountToken: {expirationSeconds: 3600}}]}}]}}}}}",
    ],
    [
      "v1",
      "Pod",
      "{volumes: [{downwardAPI: {items: [{fieldRef: {fieldPath: a}}, {resourceFieldRef: {}}]}}]}",
      "{volumes: [{downwardAPI: {items: [{fieldRef: {fieldPath: a, apiVersion: v1}}, {resourceFieldRef: {}}]}}]}",
    ],
  ];
  for (const [apiVersion, kind, spec, stored] of filled) {
    it(`fills in what the API server puts into a ${kind}`, () => {
      const object = of(apiVersion, kind, spec);
      const before = structuredClone(object);

      assert.deepEqual(storedForm(object), of(apiVersion, kind, stored));
      assert.deepEqual(object, before);
    });
  }

  it("moves the stringData of a Secret to data, where it takes precedence", () => {
    const secret: KubeObject = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "a" },
      data: { a: "b2xk", b: "Yg==" },
      stringData: { a: "new", c: "ü" },
    };

    assert.deepEqual(storedForm(secret), {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "a" },
      data: { a: "bmV3", b: "Yg==", c: "w7w=" },
    });
  });
});

function of(apiVersion: string, kind: string, spec: string): KubeObject {
  return kubeObject`
    apiVersion: ${apiVersion}
    kind: ${kind}
    metadata: {name: a}
    spec: ${spec.replaceAll("\n", " ")}
  `;
}

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { KubeObject } from "@weir/kube";
import { kubeObject } from "@weir/testing";
import { claimsOf, ownersOf } from "../../../src/cache/relations.ts";

/** True where Kubernetes leaves out that the one owns the other. */
function owns(owner: KubeObject, child: KubeObject): boolean {
  const claims = claimsOf(owner);
  return ownersOf(child).some((named) => claims.includes(named));
}

function named(apiVersion: string, kind: string, name: string, namespace = "ns"): KubeObject {
  return { apiVersion, kind, metadata: { name, namespace } };
}

describe("relations", () => {
  it("are those of owner references, each owner once", () => {
    const pod = kubeObject`
      apiVersion: v1
      kind: Pod
      metadata:
        name: p
        ownerReferences: [{ uid: a }, { uid: b }, { uid: a }]
    `;

    assert.deepEqual(ownersOf(pod), ["a", "b"]);
    assert.deepEqual(ownersOf(named("v1", "Pod", "q")), []);
  });

  it("give a Service its Endpoints, in its namespace", () => {
    const service = named("v1", "Service", "web");

    const owned = [
      named("v1", "Endpoints", "web"),
      named("v1", "Endpoints", "other"),
      named("v1", "Endpoints", "web", "elsewhere"),
      named("example.com/v1", "Endpoints", "web"),
    ].map((endpoints) => owns(service, endpoints));

    assert.deepEqual(owned, [true, false, false, false]);
    assert.equal(
      owns(named("serving.knative.dev/v1", "Service", "web"), named("v1", "Endpoints", "web")),
      false,
    );
  });

  it("give a ServiceAccount its token, and no other Secret that names it", () => {
    const account = kubeObject`
      apiVersion: v1
      kind: ServiceAccount
      metadata: {name: robot}
    `;
    const secret = (type: string, name: string): KubeObject => kubeObject`
      apiVersion: v1
      kind: Secret
      metadata: {name: s, annotations: {kubernetes.io/service-account.name: ${name}}}
      type: ${type}
    `;

    assert.deepEqual(
      [
        owns(account, secret("kubernetes.io/service-account-token", "robot")),
        owns(account, secret("kubernetes.io/service-account-token", "other")),
        owns(account, secret("Opaque", "robot")),
      ],
      [true, false, false],
    );
  });

  it("give a StatefulSet the claims that its templates made", () => {
    const set = kubeObject`
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: {name: db, namespace: ns}
      spec: {volumeClaimTemplates: [{metadata: {name: data}}, {metadata: {name: log}}]}
    `;

    const owned = [
      "data-db-0",
      "log-db-12",
      "data-db-",
      "data-db-0-x",
      "data-other-0",
      "data-db-replica-0",
    ].filter((name) => owns(set, named("v1", "PersistentVolumeClaim", name)));

    assert.deepEqual(owned, ["data-db-0", "log-db-12"]);
  });

  it("say nothing of other kinds", () => {
    assert.deepEqual(claimsOf(named("apps/v1", "Deployment", "web")), []);
  });
});

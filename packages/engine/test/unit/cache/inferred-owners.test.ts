import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { groupOf, type KubeObject } from "@weir/kube";
import { kubeObject } from "@weir/testing";
import { inferredOwnershipsOf } from "../../../src/cache/inferred-owners.ts";

/** True where Kubernetes leaves out that the one owns the other. */
function owns(owner: KubeObject, child: KubeObject): boolean {
  const kind = { group: groupOf(owner.apiVersion), kind: owner.kind };
  return inferredOwnershipsOf(kind).some((each) => each.child.kind === child.kind && each.owns(owner, child));
}

describe("inferred owners", () => {
  it("give a Service its Endpoints", () => {
    const service = kubeObject`
      apiVersion: v1
      kind: Service
      metadata: {name: web}
    `;
    const endpoints = (name: string): KubeObject => kubeObject`
      apiVersion: v1
      kind: Endpoints
      metadata: {name: ${name}}
    `;

    assert.deepEqual([owns(service, endpoints("web")), owns(service, endpoints("other"))], [true, false]);
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
      metadata: {name: db}
      spec: {volumeClaimTemplates: [{metadata: {name: data}}, {metadata: {name: log}}]}
    `;
    const claim = (name: string): KubeObject => kubeObject`
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: {name: ${name}}
    `;

    const owned = [
      "data-db-0",
      "log-db-12",
      "data-db-",
      "data-db-0-x",
      "data-other-0",
      "data-db-replica-0",
    ].filter((name) => owns(set, claim(name)));

    assert.deepEqual(owned, ["data-db-0", "log-db-12"]);
  });

  it("say nothing of other kinds", () => {
    assert.deepEqual(inferredOwnershipsOf({ group: "apps", kind: "Deployment" }), []);
  });
});

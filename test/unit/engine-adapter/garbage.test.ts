import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isManaged, keepReason } from "../../../src/engine-adapter/garbage.ts";
import { liveIdOf } from "../../../src/engine-adapter/live-id.ts";
import { markOf } from "../../../src/engine-adapter/marks.ts";
import type { KubeObject, ObjectMeta } from "../../../src/kube/object.ts";
import { parseResourceId } from "../../../src/resource/id.ts";

const everywhere: ReadonlySet<string> = new Set();

function configMap(metadata: ObjectMeta): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "default", ...metadata } };
}

function marked(id: string, metadata: ObjectMeta = {}): KubeObject {
  return configMap({ ...metadata, labels: { "fluxcd.io/sync-gc-mark": markOf("set", parseResourceId(id)) } });
}

describe("what a sync set manages", () => {
  it("is what bears the mark of its own ID", () => {
    assert.equal(isManaged(marked("default:configmap/a"), "set", everywhere), true);
  });

  it("is not what the label was copied to, nor what another set applied", () => {
    assert.equal(isManaged(marked("default:configmap/other"), "set", everywhere), false);
    assert.equal(isManaged(marked("default:configmap/a"), "another set", everywhere), false);
    assert.equal(isManaged(configMap({}), "set", everywhere), false);
  });

  it("is not what lies outside of the allowed namespaces", () => {
    assert.equal(isManaged(marked("default:configmap/a"), "set", new Set(["elsewhere"])), false);
  });
});

describe("what is kept though git has it no more", () => {
  it("says ignore, under either prefix", () => {
    const ignored = configMap({ annotations: { "flux.weave.works/ignore": "true" } });
    const syncOnly = configMap({ annotations: { "fluxcd.io/ignore": "sync_only" } });

    assert.equal(keepReason(ignored, new Set()), "resource has ignore policy true");
    assert.equal(keepReason(syncOnly, new Set()), "resource has ignore policy sync_only");
    assert.equal(
      keepReason(configMap({ annotations: { "fluxcd.io/ignore": "false" } }), new Set()),
      undefined,
    );
  });

  it("could not be loaded this time", () => {
    const reason = keepReason(configMap({}), new Set([parseResourceId("default:configmap/a")]));

    assert.equal(reason, "its manifest could not be loaded");
  });
});

describe("the ID of a live object", () => {
  it("says <cluster> for what has no namespace", () => {
    const role = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: { name: "x" } };

    assert.equal(liveIdOf(role), "<cluster>:clusterrole/x");
    assert.equal(liveIdOf(configMap({})), "default:configmap/a");
  });
});

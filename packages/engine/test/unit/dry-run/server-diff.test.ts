import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { systemClock } from "@weir/base";
import type { ApiResource, KubeObject } from "@weir/kube";
import { type Answer, kubeObject, ScriptedClient } from "@weir/testing";
import { type DiffQuestion, ServerDiff } from "../../../src/dry-run/server-diff.ts";
import { targetOptionsOf } from "../../../src/plan/target-options.ts";

const resource: ApiResource = {
  group: "",
  version: "v1",
  kind: "ConfigMap",
  resource: "configmaps",
  namespaced: true,
  verbs: ["get", "patch"],
};
const target = kubeObject`{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, namespace: ns }, data: { key: wanted } }`;

describe("whether a write changes nothing", () => {
  for (const method of ["client-side", "server-side", "replace"] as const) {
    it(`is what the server says of the cached version, and no later one: ${method}`, async () => {
      const now = live("6", "wanted");

      assert.equal(await changesNothing(live("5", "wanted"), method, [() => now]), false);
      assert.equal(await changesNothing(now, method, [() => now]), true);
    });
  }

  it("is not what the server says of a version that appears during the question", async () => {
    const cached = live("5", "wanted");
    const answers = [() => cached, () => live("6", "wanted")];

    assert.equal(await changesNothing(cached, "server-side", answers), false);
  });
});

/** The answer about a cached object, from a server that gives these answers. */
function changesNothing(
  cached: KubeObject,
  method: DiffQuestion["options"]["method"],
  lists: readonly Answer[],
): Promise<boolean> {
  const cache = {
    observe: () => undefined,
    observeDeleted: () => undefined,
    resourceOf: () => Promise.resolve(resource),
  };
  const schemas = { schemaFor: () => Promise.resolve(undefined) };
  const client = new ScriptedClient({ lists });
  const diff = new ServerDiff({ client, cache, schemas, clock: systemClock }, cache);
  const question: DiffQuestion = {
    target,
    live: cached,
    options: targetOptionsOf(target, { method }),
    serverSide: undefined,
    when: "auto",
    needsOwners: true,
    verdictOn: () => Promise.resolve("in-sync"),
    cut: (before, after) => Promise.resolve([before, after]),
  };
  return diff.changesNothing(question, AbortSignal.any([]));
}

function live(resourceVersion: string, value: string): KubeObject {
  return kubeObject`
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: a
      namespace: ns
      uid: u
      resourceVersion: ${JSON.stringify(resourceVersion)}
      managedFields:
        - { manager: kubectl, operation: Apply, apiVersion: v1, fieldsV1: { "f:data": { "f:key": {} } } }
    data: { key: ${value} }
  `;
}

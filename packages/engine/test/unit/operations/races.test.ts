import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Clock, systemClock } from "@weir/base";
import { type ApiResource, KubeApiError, type KubeObject } from "@weir/kube";
import { ConnectionError } from "@weir/kube/rest";
import { kubeObject, ScriptedClient } from "@weir/testing";
import { applyObject } from "../../../src/operations/apply.ts";

const resource: ApiResource = {
  group: "",
  version: "v1",
  kind: "ConfigMap",
  resource: "configmaps",
  namespaced: true,
  verbs: ["get", "create", "patch"],
};
const never = new AbortController().signal;
const clock: Clock = { ...systemClock, sleep: () => Promise.resolve() };
const manifest = configMap("new");

function configMap(value: string): KubeObject {
  return kubeObject`
    apiVersion: v1
    kind: ConfigMap
    metadata: { name: config, namespace: demo }
    data: { key: ${value} }
  `;
}

/** As the server has it after it was applied. */
function applied(value: string, resourceVersion: string): KubeObject {
  const { metadata, ...rest } = configMap(value);
  const annotations = {
    "kubectl.kubernetes.io/last-applied-configuration": `${JSON.stringify({ ...configMap(value), metadata: { annotations: {}, ...metadata } })}\n`,
  };
  return { ...rest, metadata: { ...metadata, annotations, uid: "u", resourceVersion } };
}

function lost(): never {
  throw new ConnectionError({ server: "https://scripted", sent: true, reason: "reset" });
}

/** What an apply does according to these answers. */
async function apply(live: KubeObject | undefined, ...lists: readonly (() => unknown)[]): Promise<string> {
  const client = new ScriptedClient({ lists });
  const cache = { observe: () => undefined, observeDeleted: () => undefined };
  const schemas = { schemaFor: () => Promise.resolve(undefined) };
  const known = { live, fresh: false };
  const { change } = await applyObject(
    { client, cache, schemas, clock },
    { resource, target: manifest, known },
    { validate: true, dryRun: false, signal: never },
  );
  return change;
}

describe("a write whose answer is lost", () => {
  it("has created the object if it's there afterwards", async () => {
    assert.equal(await apply(undefined, lost, () => applied("new", "1")), "created");
  });

  it("has changed the object if nothing is left to change and it's another version", async () => {
    assert.equal(await apply(applied("old", "1"), lost, () => applied("new", "2")), "configured");
  });

  it("is made again if it never arrived", async () => {
    const gone = (): never => {
      throw new KubeApiError({ code: 404, reason: "NotFound", message: "not found" });
    };

    assert.equal(await apply(undefined, lost, gone, () => applied("new", "1")), "created");
    assert.equal(
      await apply(
        applied("old", "1"),
        lost,
        () => applied("old", "1"),
        () => applied("new", "2"),
      ),
      "configured",
    );
  });
});

describe("a write that somebody else has made meanwhile", () => {
  it("changes nothing", async () => {
    const exists = (): never => {
      throw new KubeApiError({ code: 409, reason: "AlreadyExists", message: "already exists" });
    };

    assert.equal(await apply(undefined, exists, () => applied("new", "1")), "unchanged");
  });
});

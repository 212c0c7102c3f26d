import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type ApiResource, KubeApiError, type KubeObject } from "@weir/kube";
import { ConnectionError } from "@weir/kube/rest";
import { type Answer, FakeClock, kubeObject, ScriptedClient } from "@weir/testing";
import type { Deed } from "../../../src/operations/context.ts";
import { applyServerSide } from "../../../src/operations/server-side-apply.ts";

const resource: ApiResource = {
  group: "",
  version: "v1",
  kind: "ConfigMap",
  resource: "configmaps",
  namespaced: true,
  verbs: ["get", "patch"],
};
const get = "get /api/v1/namespaces/ns/configmaps/a";
const patch = `${get}?fieldManager=kubectl&fieldValidation=Strict&force=true`;

describe("server-side apply", () => {
  it("is sent again, after a look at the object, if its answer is lost", async () => {
    const { deed, asked } = await apply(object("1"), [lose, () => object("2"), () => object("2")]);

    assert.deepEqual(asked, [patch, get, patch]);
    assert.deepEqual(deed, { change: "configured", live: object("2") });
  });

  it("is sent again if the answer to a creation is lost before anything was done", async () => {
    const { deed, asked } = await apply(undefined, [lose, notFound, () => object("1")]);

    assert.deepEqual(asked, [patch, get, patch]);
    assert.equal(deed.change, "created");
  });

  it("is not sent again if the server refuses it", async () => {
    const forbid = (): never => {
      throw new KubeApiError({ code: 403, reason: "Forbidden", message: "no" });
    };

    await assert.rejects(apply(object("1"), [forbid, () => object("2")]), {
      name: "OperationError",
      reason: "Forbidden",
    });
  });
});

/** Applies an object to a server that gives these answers. */
async function apply(
  live: KubeObject | undefined,
  lists: readonly Answer[],
): Promise<{ readonly deed: Deed; readonly asked: readonly string[] }> {
  const clock = new FakeClock();
  const client = new ScriptedClient({ lists });
  const cache = { observe: () => undefined, observeDeleted: () => undefined };
  const context = { client, cache, clock, schemas: { schemaFor: () => Promise.resolve(undefined) } };
  const applied = applyServerSide(
    context,
    { resource, target: object(undefined), known: { live, fresh: false } },
    { validate: true, dryRun: false, signal: AbortSignal.any([]) },
  );
  const [deed] = await Promise.all([applied, clock.advance(1_000)]);
  return { deed, asked: client.asked };
}

function lose(): never {
  throw new ConnectionError({ server: "https://scripted", sent: true, reason: "reset" });
}

function notFound(): never {
  throw new KubeApiError({ code: 404, reason: "NotFound", message: "not found" });
}

function object(resourceVersion: string | undefined): KubeObject {
  const version = resourceVersion === undefined ? "" : `, resourceVersion: "${resourceVersion}"`;
  return kubeObject`{ apiVersion: v1, kind: ConfigMap, metadata: { name: a, namespace: ns${version} } }`;
}

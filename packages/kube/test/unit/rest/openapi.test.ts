import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Answer, FakeClock, ScriptedClient } from "@weir/testing";
import { KubeApiError } from "../../../src/api-status.ts";
import type { GroupVersionKind } from "../../../src/gvk.ts";
import { createSchemaSource } from "../../../src/rest/openapi.ts";

const never = new AbortController().signal;

const widget: GroupVersionKind = { group: "future.k8s.io", version: "v1", kind: "Widget" };

const widgetTypes = {
  "io.k8s.api.future.v1.Widget": {
    properties: { spec: { allOf: [{ $ref: "#/components/schemas/io.k8s.api.future.v1.WidgetSpec" }] } },
    "x-kubernetes-group-version-kind": [widget],
  },
  "io.k8s.api.future.v1.WidgetSpec": {
    properties: {
      parts: { "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "name" },
    },
  },
};

describe("createSchemaSource", () => {
  it("asks nothing for the kinds of the shipped table, nor for custom resources", async () => {
    const client = new ScriptedClient({ lists: [] });
    const source = createSchemaSource(client);

    const deployment = await source.schemaFor({ group: "apps", version: "v1", kind: "Deployment" }, never);

    assert.deepEqual(deployment?.field("spec")?.schema?.field("strategy"), { strategies: ["retainKeys"] });
    for (const group of ["example.com", "charts.example.com", "gateway.networking.x-k8s.io"]) {
      assert.equal(await source.schemaFor({ group, version: "v1", kind: "Deployment" }, never), undefined);
    }
    assert.deepEqual(client.asked, []);
  });

  it("knows the kinds that kubectl merges as plain JSON", async () => {
    const source = createSchemaSource(new ScriptedClient({ lists: [] }));

    for (const [group, kind] of [
      ["apiextensions.k8s.io", "CustomResourceDefinition"],
      ["apiregistration.k8s.io", "APIService"],
    ] as const) {
      assert.equal(await source.schemaFor({ group, version: "v1", kind }, never), undefined);
    }
  });

  it("asks the server for kinds newer than the table, once", async () => {
    const client = new ScriptedClient({ lists: [indexOf("A"), documentOf(widgetTypes)] });
    const source = createSchemaSource(client);

    const schema = await source.schemaFor(widget, never);
    const again = await source.schemaFor(widget, never);

    assert.deepEqual(schema?.field("spec")?.schema?.field("parts"), {
      strategies: ["merge"],
      mergeKey: "name",
    });
    assert.equal(again, schema);
    assert.deepEqual(client.asked, ["get /openapi/v3", "get /openapi/v3/apis/future.k8s.io/v1?hash=A"]);
  });

  it("reads a document again only when its hash has changed", async () => {
    const clock = new FakeClock();
    const client = new ScriptedClient({
      lists: [indexOf("A"), documentOf(widgetTypes), indexOf("A"), indexOf("B"), documentOf({})],
    });
    const source = createSchemaSource(client, clock);

    const first = await source.schemaFor(widget, never);
    await clock.advance(3_600_000);
    const second = await source.schemaFor(widget, never);
    await clock.advance(3_600_000);
    const third = await source.schemaFor(widget, never);

    assert.equal(second, first);
    assert.equal(third, undefined);
    assert.equal(client.asked.filter((path) => path.includes("hash=A")).length, 1);
  });

  it("takes custom resources in groups of Kubernetes for what they are", async () => {
    const snapshot = { group: "snapshot.storage.k8s.io", version: "v1", kind: "VolumeSnapshot" };
    const types = {
      "io.k8s.storage.snapshot.v1.VolumeSnapshot": {
        properties: {
          metadata: { allOf: [{ $ref: "#/x/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta" }] },
        },
        "x-kubernetes-group-version-kind": [snapshot],
      },
    };
    const client = new ScriptedClient({
      lists: [indexOf("A", "snapshot.storage.k8s.io"), documentOf(types)],
    });

    assert.equal(await createSchemaSource(client).schemaFor(snapshot, never), undefined);
  });

  it("falls back to version 2, and then to what is shipped", async () => {
    const withTwo = new ScriptedClient({
      lists: [refuse("NotFound", 404), () => ({ definitions: widgetTypes })],
    });
    const withNone = new ScriptedClient({ lists: [refuse("NotFound", 404), refuse("Forbidden", 403)] });

    assert.notEqual(await createSchemaSource(withTwo).schemaFor(widget, never), undefined);
    assert.deepEqual(withTwo.asked, ["get /openapi/v3", "get /openapi/v2"]);
    assert.equal(await createSchemaSource(withNone).schemaFor(widget, never), undefined);
  });

  it("asks again after a failure", async () => {
    const client = new ScriptedClient({
      lists: [refuse("ServiceUnavailable", 503), indexOf("A"), refuse("", 500), documentOf(widgetTypes)],
    });
    const source = createSchemaSource(client);

    await assert.rejects(source.schemaFor(widget, never), KubeApiError);
    await assert.rejects(source.schemaFor(widget, never), KubeApiError);

    assert.notEqual(await source.schemaFor(widget, never), undefined);
  });

  it("stops waiting when its signal is aborted", async () => {
    const client = new ScriptedClient({ lists: [indexOf("A"), documentOf(widgetTypes)] });
    const source = createSchemaSource(client);

    await assert.rejects(source.schemaFor(widget, AbortSignal.abort(new Error("stop"))), { message: "stop" });

    assert.notEqual(await source.schemaFor(widget, never), undefined);
  });
});

function indexOf(hash: string, group = "future.k8s.io"): Answer {
  const path = `apis/${group}/v1`;
  return () => ({ paths: { [path]: { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` } } });
}

function documentOf(schemas: object): Answer {
  return () => ({ components: { schemas } });
}

function refuse(reason: string, code: number): Answer {
  return () => {
    throw new KubeApiError({ code, reason, message: reason });
  };
}

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { makeResourceId, parseResourceId } from "@weir/flux";
import {
  isAllowedObject,
  isAllowedResource,
  unboundIds,
} from "../../../src/engine-adapter/allowed-namespaces.ts";

const ids = [
  "a:deployment/web",
  "b:configmap/web",
  "other:deployment/web",
  "a/web",
  "other/web",
  "<cluster>:namespace/a",
  "<cluster>:namespace/other",
  "<cluster>:clusterrole/a",
  "<cluster>:customresourcedefinition/things.example.test",
].map(parseResourceId);

describe("allowed namespaces", () => {
  it("leave everything in where there are none", () => {
    assert.deepEqual(
      ids.filter((id) => isAllowedResource(id, new Set())),
      ids,
    );
  });

  it("leave in what is in them, themselves, and what is in no namespace at all, as in Flux v1", () => {
    assert.deepEqual(
      ids.filter((id) => isAllowedResource(id, new Set(["a", "b"]))),
      [
        "a:deployment/web",
        "b:configmap/web",
        "a/web",
        "<cluster>:namespace/a",
        "<cluster>:clusterrole/a",
        "<cluster>:customresourcedefinition/things.example.test",
      ],
    );
  });

  it("do not bound what is in no namespace, but for Namespaces", () => {
    assert.deepEqual(unboundIds(ids), [
      "<cluster>:clusterrole/a",
      "<cluster>:customresourcedefinition/things.example.test",
    ]);
  });

  it("are not gone around by odd texts", () => {
    const allowed = new Set(["team"]);
    const namespaces = [
      "team/../default",
      "team:configmap/a",
      "team/",
      "team:",
      ":team",
      "team%2f..",
      " team",
    ];
    const object = (namespace: string) => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { namespace, name: "a" },
    });

    assert.deepEqual(
      namespaces.filter((each) => isAllowedResource(makeResourceId(each, "ConfigMap", "a"), allowed)),
      [],
    );
    assert.deepEqual(
      namespaces.filter((each) => isAllowedObject(object(each), allowed)),
      [],
    );
    assert.equal(isAllowedObject(object("team"), allowed), true);
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isAllowedResource } from "../../../src/engine-adapter/allowed-namespaces.ts";
import { parseResourceId } from "../../../src/resource/id.ts";

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
});

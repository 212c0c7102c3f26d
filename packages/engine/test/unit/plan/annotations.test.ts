import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { syncAnnotationOf, syncWordsOf } from "../../../src/plan/annotations.ts";
import { thing } from "../../support/engine-objects.ts";

describe("syncAnnotationOf", () => {
  it("reads Argo CD's annotation", () => {
    const object = thing("v1 ConfigMap", "a", { annotations: { "argocd.argoproj.io/hook": "PreSync" } });

    assert.equal(syncAnnotationOf(object, "hook"), "PreSync");
  });

  it("lets Weir's own annotation go first", () => {
    const annotations = { "argocd.argoproj.io/hook": "PreSync", "weir.dev/hook": "PostSync" };

    assert.equal(syncAnnotationOf(thing("v1 ConfigMap", "a", { annotations }), "hook"), "PostSync");
  });

  it("is undefined where the object says nothing", () => {
    assert.equal(syncAnnotationOf(thing("v1 ConfigMap", "a", { annotations: null }), "hook"), undefined);
  });
});

describe("syncWordsOf", () => {
  it("parts words at commas, trims them and keeps each once", () => {
    const annotations = { "weir.dev/sync-options": " Prune=false,,Replace=true , Prune=false" };

    assert.deepEqual(syncWordsOf(thing("v1 ConfigMap", "a", { annotations }), "sync-options"), [
      "Prune=false",
      "Replace=true",
    ]);
  });

  it("has no words where there is no annotation", () => {
    assert.deepEqual(syncWordsOf(thing("v1 ConfigMap", "a"), "sync-options"), []);
  });
});

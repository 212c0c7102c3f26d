import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isKeptByHelm } from "../../../src/plan/helm-hooks.ts";
import { deletePoliciesOf, hookPhasesOf } from "../../../src/plan/hooks.ts";
import { thing } from "../../support/engine-objects.ts";

function job(annotations: Readonly<Record<string, string>>) {
  return thing("batch/v1 Job", "demo/a", { annotations });
}

describe("the phases of a Helm hook", () => {
  for (const [words, phases] of [
    ["pre-install", ["PreSync"]],
    ["pre-upgrade", ["PreSync"]],
    ["post-install", ["PostSync"]],
    ["post-upgrade", ["PostSync"]],
    ["pre-install,pre-upgrade", ["PreSync"]],
    [" pre-install , post-upgrade", ["PreSync", "PostSync"]],
    ["pre-install,crd-install", ["PreSync"]],
    ["pre-delete", []],
    ["post-delete", []],
    ["pre-rollback", []],
    ["post-rollback", []],
    ["test", []],
    ["test-success", []],
    ["Pre-Install", []],
    ["", []],
    ["crd-install", undefined],
    [" crd-install ", undefined],
  ] as const) {
    it(`are ${phases === undefined ? "those of an ordinary object" : `[${phases.join()}]`} for "${words}"`, () => {
      assert.deepEqual(hookPhasesOf(job({ "helm.sh/hook": words }), true), phases);
    });
  }

  it("are those of an ordinary object if Helm's annotations have no meaning", () => {
    assert.equal(hookPhasesOf(job({ "helm.sh/hook": "pre-install" }), false), undefined);
  });

  it("are ignored beside a hook annotation of Argo CD's", () => {
    const both = { "helm.sh/hook": "pre-install" };

    assert.deepEqual(hookPhasesOf(job({ ...both, "argocd.argoproj.io/hook": "Sync" }), true), ["Sync"]);
    assert.deepEqual(hookPhasesOf(job({ ...both, "argocd.argoproj.io/hook": "Skip" }), true), []);
  });
});

describe("the delete policies of a Helm hook", () => {
  const annotations = {
    "argocd.argoproj.io/hook-delete-policy": "HookFailed",
    "helm.sh/hook-delete-policy": "hook-succeeded, hook-failed,sometimes",
  };

  it("add to those of Argo CD's annotation", () => {
    assert.deepEqual(deletePoliciesOf(job(annotations), true), ["HookFailed", "HookSucceeded"]);
  });

  it("have no meaning if Helm's annotations have none", () => {
    assert.deepEqual(deletePoliciesOf(job(annotations), false), ["HookFailed"]);
  });

  it("read Helm's default", () => {
    const said = { "helm.sh/hook-delete-policy": "before-hook-creation" };

    assert.deepEqual(deletePoliciesOf(job(said), true), ["BeforeHookCreation"]);
  });
});

describe("isKeptByHelm", () => {
  it("is true only for the policy to keep it", () => {
    assert.equal(isKeptByHelm(job({ "helm.sh/resource-policy": " keep" })), true);
    assert.equal(isKeptByHelm(job({ "helm.sh/resource-policy": "drop" })), false);
    assert.equal(isKeptByHelm(job({})), false);
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { missingToolAdvice } from "../../../../src/manifests/generate/missing-tool.ts";

describe("missingToolAdvice", () => {
  const hasIt =
    "kustomize isn't installed; run fluxd in the image docker.io/weirdev/weir:unversioned, which has it, or install kustomize";
  const cases: readonly (readonly [shell: string, stderr: string])[] = [
    ["dash", "/bin/sh: 1: kustomize: not found\n"],
    ["bash", "bash: line 1: kustomize: command not found\n"],
    ["a script", "starting\n./build.sh: 3: kustomize: not found\nthe end\n"],
    ["BusyBox", "sh: kustomize: not found\n"],
  ];
  for (const [shell, stderr] of cases) {
    it(`names the tool that ${shell} doesn't find, and the image that has it`, () => {
      assert.equal(missingToolAdvice(127, stderr), hasIt);
    });
  }

  it("doesn't name what the image lacks too, which might be a secret", () => {
    assert.equal(
      missingToolAdvice(127, "/bin/sh: 1: s3cret: not found\n"),
      "a command isn't installed; add it to the image that fluxd runs in",
    );
  });

  it("says nothing of other failures", () => {
    assert.equal(missingToolAdvice(1, "/bin/sh: 1: kustomize: not found\n"), undefined);
  });
});

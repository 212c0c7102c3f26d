import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ownImage } from "../../../../src/own-image/own-image.ts";
import { programsFindings, programsIn } from "../../../../src/switching/takeover/generator-programs.ts";

describe("the programs that a command starts", () => {
  for (const [command, programs] of [
    ["kustomize build .", ["kustomize"]],
    ["cd base && helm template x | ENV=1 envsubst", ["helm", "envsubst"]],
    ["for f in *.jsonnet; do jsonnet $f; done", ["jsonnet"]],
    ["cat *.yaml", []],
    ["./render.sh || exit 1", ["./render.sh"]],
    ['echo "$(sops -d secret.yaml)"', ["sops"]],
  ] as const) {
    it(`are ${programs.join(", ") || "none but usual ones"} for ${command}`, () => {
      assert.deepEqual(programsIn(command), programs);
    });
  }
});

describe("the programs that generators need", () => {
  it("are reported if Weir's image doesn't have them", () => {
    const [finding, ...others] = programsFindings(["jsonnet", "kustomize", "sops"], ownImage("1.0"));

    assert.deepEqual(others, []);
    assert.match(JSON.stringify(finding), /\.flux\.yaml files run jsonnet"/);
  });

  it("are not reported if Weir's image has them", () => {
    assert.deepEqual(programsFindings(["envsubst", "kubectl"], ownImage("1.0")), []);
  });

  it("are all reported for another image", () => {
    const findings = programsFindings(["envsubst", "kubectl"], "registry.example.test/fluxd:1");

    assert.match(JSON.stringify(findings), /\.flux\.yaml files run envsubst, kubectl"/);
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { programsIn } from "../../../src/takeover/generator-programs.ts";

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

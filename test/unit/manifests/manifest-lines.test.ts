import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { manifestLines } from "../../../src/manifests/manifest-lines.ts";
import { configMap } from "../../support/manifests.ts";

function linesIn(text: string): readonly (readonly [number, readonly string[]])[] {
  return manifestLines(Buffer.from(text), "a.yaml").map(({ line, ids }) => [line, [...ids]]);
}

describe("the lines of manifests", () => {
  it("are those after the separators", () => {
    assert.deepEqual(
      linesIn(`# a comment\n${configMap("one")}---\n${configMap("two")}--- # three\n${configMap("three")}`),
      [
        [2, ["default:configmap/one"]],
        [10, ["default:configmap/two"]],
        [18, ["default:configmap/three"]],
      ],
    );
  });

  it("are the same for all items of a list", () => {
    const item = (name: string): string => `- {apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}}}\n`;

    assert.deepEqual(linesIn(`apiVersion: v1\nkind: List\nitems:\n${item("a")}${item("b")}`), [
      [1, ["<cluster>:configmap/a", "<cluster>:configmap/b"]],
    ]);
  });

  it("end where a document can't be parsed", () => {
    assert.deepEqual(linesIn(`${configMap("one")}---\nkind: [\n---\n${configMap("two")}`), [
      [1, ["default:configmap/one"]],
    ]);
  });
});

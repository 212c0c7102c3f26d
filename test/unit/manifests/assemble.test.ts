import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assembleManifests, type ManifestSet } from "../../../src/manifests/assemble.ts";
import type { ParsedFile } from "../../../src/manifests/parse.ts";
import { dedent } from "../../support/objects.ts";
import { oneManifest, parsedFile, scopes } from "../../support/parsed-manifests.ts";

describe("assembleManifests", () => {
  it("puts resources into the namespaces that they go to", async () => {
    const set = await assemble([
      parsedFile("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: demo}}"),
      parsedFile("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}"),
      parsedFile("{apiVersion: v1, kind: Namespace, metadata: {name: demo, namespace: ignored}}"),
    ]);

    assert.deepEqual(
      [...set.resources.keys()],
      ["demo:configmap/a", "default:configmap/a", "<cluster>:namespace/demo"],
    );
    assert.deepEqual([set.problems, set.heldBack, set.complete], [[], [], true]);
  });

  it("knows the scope of kinds that are defined beside their objects", async () => {
    const set = await assemble([
      parsedFile(
        dedent(`
          apiVersion: apiextensions.k8s.io/v1
          kind: CustomResourceDefinition
          metadata: {name: boards.example.test}
          spec:
            group: example.test
            names: {kind: Board}
            scope: Namespaced
            versions: [{name: v1}, {name: v2}]
          ---
          {apiVersion: example.test/v2, kind: Board, metadata: {name: main}}
          ---
          {apiVersion: example.test/v3, kind: Board, metadata: {name: other}}
        `),
      ),
    ]);

    assert.ok(set.resources.has(oneManifest("{kind: Board, metadata: {name: main, namespace: default}}").id));
    assert.deepEqual(
      set.unscoped.map(({ id }) => id),
      ["<cluster>:board/other"],
    );
  });

  it("holds back what has no known scope, under every ID that it may have", async () => {
    const set = await assemble([parsedFile("{apiVersion: x/v1, kind: Odd, metadata: {name: a}}")]);

    assert.deepEqual([...set.resources.keys()], []);
    assert.deepEqual(set.heldBack, ["<cluster>:odd/a", "default:odd/a"]);
  });

  const broken = [
    parsedFile("{kind: ConfigMap, metadata: {name: a}}", "1.yaml"),
    parsedFile(
      "{kind: ConfigMap, metadata: {name: b}}\n---\n{kind: ConfigMap, metadata: {name: c}}",
      "2.yaml",
    ),
    parsedFile("{kind: ConfigMap, metadata: {name: a}}", "3.yaml"),
    parsedFile("{kind: ConfigMap, metadata: {name: d}}\n---\n[", "4.yaml"),
    parsedFile("{kind: ConfigMap, metadata: {name: b, namespace: default}}", "5.yaml"),
    parsedFile(
      "{kind: ConfigMap, metadata: {name: e}}\n---\n{kind: ConfigMap, metadata: {name: e}}",
      "6.yaml",
    ),
  ];
  const messages = [
    "duplicate definition of '<cluster>:configmap/a' (in 1.yaml and 3.yaml)",
    'scanning multidoc from "4.yaml": yaml: line 3: did not find expected node content',
    "duplicate definition of '<cluster>:configmap/e' (in 6.yaml)",
    "duplicate definition of 'default:configmap/b' (in 2.yaml and 5.yaml)",
  ];

  it("fails at the first problem", async () => {
    await assert.rejects(assemble(broken), { name: "DuplicateManifestError", message: messages[0] });
  });

  it("fails where only the namespaces show that a resource is defined twice", async () => {
    const [, second, , , fifth] = broken;
    assert.ok(second && fifth);

    await assert.rejects(assemble([second, fifth]), { name: "DuplicateManifestError", message: messages[3] });
  });

  it("leaves out in quarantine what is wrong and goes on, and says what it holds back", async () => {
    const set = await assemble(broken, true);

    assert.deepEqual([...set.resources.keys()], ["default:configmap/c"]);
    assert.deepEqual(
      set.problems.map(({ message }) => message),
      messages,
    );
    assert.deepEqual(set.heldBack.toSorted(), [
      "default:configmap/a",
      "default:configmap/b",
      "default:configmap/d",
      "default:configmap/e",
    ]);
    assert.deepEqual([set.complete, set.incompleteFiles], [false, ["4.yaml"]]);
  });

  it("holds back what a file that cannot be read held before", async () => {
    const before = [oneManifest("{kind: ConfigMap, metadata: {name: old}}", "4.yaml")];

    const set = await assemble([parsedFile("[", "4.yaml")], true, before);

    assert.deepEqual(set.heldBack, ["default:configmap/old"]);
  });

  it("does not hold back what another file defines by now", async () => {
    const before = [oneManifest("{kind: ConfigMap, metadata: {name: old}}", "4.yaml")];
    const moved = parsedFile("{kind: ConfigMap, metadata: {name: old}}", "5.yaml");

    const set = await assemble([parsedFile("[", "4.yaml"), moved], true, before);

    assert.deepEqual([[...set.resources.keys()], set.heldBack], [["default:configmap/old"], []]);
  });

  it("gives the very same resources again as long as nothing changes", async () => {
    const files = [parsedFile("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}")];

    const [first, second] = [await assemble(files), await assemble(files)];

    assert.deepEqual(first.resources, second.resources);
    assert.ok([...first.resources].every(([id, resource]) => second.resources.get(id) === resource));
  });
});

function assemble(
  files: readonly ParsedFile[],
  quarantine = false,
  before: readonly ReturnType<typeof oneManifest>[] = [],
): Promise<ManifestSet> {
  return assembleManifests({
    files,
    before,
    scopes: scopes(),
    signal: new AbortController().signal,
    quarantine,
  });
}

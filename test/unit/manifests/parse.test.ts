import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { dedent } from "@weir/testing";
import { oneManifest, parsedFile } from "../../support/parsed-manifests.ts";

describe("parseManifests", () => {
  it("gives manifests in the order of the file, and leaves out what has no kind", () => {
    const { manifests, error } = parsedFile(
      dedent(`
        # nothing
        ---
        {kind: ConfigMap, metadata: {name: b, namespace: demo}}
        ---
        version: 1
        ---
        {kind: Namespace, metadata: {name: demo}}
      `),
    );

    assert.equal(error, undefined);
    assert.deepEqual(
      manifests.map(({ id }) => id),
      ["demo:configmap/b", "<cluster>:namespace/demo"],
    );
  });

  it("takes lists of any kind apart", () => {
    const { manifests } = parsedFile(
      dedent(`
        kind: ConfigMapList
        items:
        - {kind: ConfigMap, metadata: {name: a}}
        - {kind: ConfigMap, metadata: {name: b, namespace: demo}}
      `),
    );

    assert.deepEqual(
      manifests.map(({ id, content: { bytes } }) => [id, bytes]),
      [
        ["<cluster>:configmap/a", "kind: ConfigMap\nmetadata:\n  name: a\n"],
        ["demo:configmap/b", "kind: ConfigMap\nmetadata:\n  name: b\n  namespace: demo\n"],
      ],
    );
  });

  it("names objects by what a text field reads", () => {
    const { id, content } = oneManifest(
      "{apiVersion: 1, kind: Thing, metadata: {name: 010, namespace: yes}}",
    );

    assert.equal(id, "true:thing/8");
    assert.equal(content.apiVersion, "1");
  });

  const errors: readonly (readonly [
    what: string,
    text: string,
    message: string,
    line: number | undefined,
  ])[] = [
    [
      "text that is no YAML",
      "a: b\nc: [1,\nd: e\n",
      "scanning multidoc from \"app.yaml\": yaml: line 3: did not find expected ',' or ']'",
      4,
    ],
    [
      "an alias that leads nowhere, which may be a password",
      "kind: Secret\nstringData: {password: *hunter2}\n",
      'scanning multidoc from "app.yaml": yaml: unknown anchor referenced (line 2)',
      2,
    ],
    [
      "a document that is no mapping",
      "a: b\n---\nfoo\n",
      'parsing YAML doc from "app.yaml": yaml: unmarshal errors:\n  line 1: cannot unmarshal !!str into resource.baseObject',
      2,
    ],
    [
      "fields of another type, by the lines of the document as it is written again",
      "kind: Deployment\nspec: {template: {spec: {containers: [{image: [x], name: app}]}}, replicas: many}\n",
      'parsing YAML doc from "app.yaml": yaml: unmarshal errors:\n' +
        "  line 3: cannot unmarshal !!str `many` into int\n" +
        "  line 8: cannot unmarshal !!seq into string",
      1,
    ],
    [
      "a HelmRelease with values that are no mapping",
      "kind: HelmRelease\nspec: {values: [x]}\n",
      'parsing YAML doc from "app.yaml": error unmarshaling JSON: json: cannot unmarshal array into Go struct field .Spec.Values of type map[string]interface {}',
      1,
    ],
    [
      "a list with an item that has no kind",
      "kind: List\nitems: [{kind: A, metadata: {name: x}}, {metadata: {name: b}}]\n",
      'parsing YAML doc from "app.yaml": item 2 of the list: it has no kind',
      1,
    ],
    [
      "a list with an item that does not fit",
      "kind: List\nitems: [{kind: Deployment, spec: 3}]\n",
      'parsing YAML doc from "app.yaml": item 1 of the list: yaml: unmarshal errors:\n  line 2: cannot unmarshal !!int into resource.DeploymentSpec',
      1,
    ],
    [
      "a template that is not filled in",
      "kind: Deployment\nmetadata: {{ .Values.meta }}\n",
      'scanning multidoc from "app.yaml": yaml: invalid map key: !!map (line 2)',
      2,
    ],
  ];
  for (const [what, text, message, line] of errors) {
    it(`refuses ${what}`, () => {
      const { error } = parsedFile(text);

      assert.deepEqual(
        { message: error?.message, line: error?.line, source: error?.source },
        { message, line, source: "app.yaml" },
      );
    });
  }

  it("gives the manifests before an error", () => {
    const { manifests, error } = parsedFile("{kind: A, metadata: {name: x}}\n---\n[\n");

    assert.deepEqual([manifests.map(({ id }) => id), error?.line], [["<cluster>:a/x"], 4]);
  });

  it("lets pass what only kubectl would refuse", () => {
    const { manifests, error } = parsedFile("{kind: ConfigMap, metadata: {name: a}, data: {x: .nan}}");

    assert.equal(error, undefined);
    assert.throws(() => manifests[0]?.object, { name: "YamlToJsonError" });
  });
});

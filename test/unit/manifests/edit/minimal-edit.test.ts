import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setAnnotations } from "../../../../src/manifests/edit/set-annotations.ts";
import { setImage } from "../../../../src/manifests/edit/set-image.ts";
import { setPaths } from "../../../../src/manifests/edit/set-paths.ts";

const target = { namespace: "default", kind: "deployment", name: "web" };
const minimal = { style: "minimal" } as const;

/** A Deployment written in many ways, with a place for the image and one for what stands in the metadata. */
function deployment(image: string, metadata = "  name: web"): string {
  return `# A file of ours

apiVersion:   apps/v1   # spaced out
kind: "Deployment"
metadata:
${metadata}

spec:
    template:
        spec:
            containers:

            - { name: side, image: side:1 }
            -   name: main   # the one
                ${image}
                args: ["--one", '--two',
                       --three]
                env:
                - {name: YES, value: yes}
                - name: FOLDED
                  value: >-
                    folded
                    text
`;
}

describe("a minimal edit", () => {
  for (const [before, after] of [
    ["image: app:1", "image: app:2"],
    ["image:    app:1   # kept", "image:    app:2   # kept"],
    ["image: 'app:1' # kept", "image: 'app:2' # kept"],
    ['image: "app:1"', 'image: "app:2"'],
    ["image: &image app:1", "image: app:2"],
    ["image: !!str app:1", "image: app:2"],
    ["'image': app:1", "'image': app:2"],
    ["image: # none yet", "image: app:2 # none yet"],
    ["image: |-\n                  app:1", "image: |-\n                  app:2"],
  ] as const) {
    it(`changes ${JSON.stringify(before)} and leaves the rest as it was written`, () => {
      const edited = setImage(deployment(before), target, { container: "main", image: "app:2", ...minimal });

      assert.equal(edited, deployment(after));
    });
  }

  it("keeps line ends of Windows, and a missing one at the end", () => {
    const windows = deployment("image: app:1").replaceAll("\n", "\r\n").trimEnd();

    const edited = setImage(windows, target, { container: "main", image: "app:2", ...minimal });

    assert.equal(edited, deployment("image: app:2").replaceAll("\n", "\r\n").trimEnd());
  });

  it("keeps the documents around the one that it changes", () => {
    const other = "%YAML 1.1\n---\nkind: ConfigMap\ndata: {on: off,   x: 010}\n...\n";

    const edited = setImage(`${other}---\n${deployment("image: app:1")}`, target, {
      container: "main",
      image: "app:2",
      ...minimal,
    });

    assert.equal(edited, `${other}---\n${deployment("image: app:2")}`);
  });

  for (const [what, before, after] of [
    [
      "adds the annotations that are missing",
      "  name: web # the name",
      "  name: web # the name\n  annotations:\n    a: 'true'",
    ],
    [
      "adds behind the last",
      "  name: web\n  annotations:\n      b: c   # kept",
      "  name: web\n  annotations:\n      b: c   # kept\n      a: 'true'",
    ],
    [
      "changes the one that is there",
      "  name: web\n  annotations: {a: 'false' }",
      "  name: web\n  annotations: {a: 'true' }",
    ],
    [
      "adds within braces",
      "  name: web\n  annotations: {b: c}",
      "  name: web\n  annotations: {b: c, a: 'true'}",
    ],
    ["fills empty braces", "  name: web\n  annotations: {}", "  name: web\n  annotations: {a: 'true'}"],
  ] as const) {
    it(what, () => {
      const changes = [{ key: "a", value: "true" }];

      const edited = setAnnotations(deployment("image: x", before), target, { changes, ...minimal });

      assert.equal(edited, deployment("image: x", after));
    });
  }

  for (const [what, before, after] of [
    [
      "removes one of several",
      "  annotations:\n    a: b # gone\n    c: d # kept",
      "  annotations:\n    c: d # kept",
    ],
    ["removes the last with what held it", "  labels: {}\n  annotations:\n    a: b", "  labels: {}"],
    ["removes from braces", "  annotations: {a: b, c: d}", "  annotations: {c: d}"],
    ["removes the last from braces", "  annotations: {c: d, a: b}", "  annotations: {c: d}"],
  ] as const) {
    it(what, () => {
      const changes = [{ key: "a", value: undefined }];

      const edited = setAnnotations(deployment("image: x", `  name: web\n${before}`), target, {
        changes,
        ...minimal,
      });

      assert.equal(edited, deployment("image: x", `  name: web\n${after}`));
    });
  }

  it("sets fields of a Helm release", () => {
    const release = (tag: string): string =>
      `kind: HelmRelease\nmetadata: {name: web}\nspec:\n  values:\n    image:\n      tag:   ${tag} # kept\n    other: 'x'\n`;
    const helm = { namespace: "default", kind: "helmrelease", name: "web" };

    const edited = setPaths(release("v1"), helm, {
      paths: [{ path: "spec.values.image.tag", value: "v2" }],
      ...minimal,
    });

    assert.equal(edited, release("v2"));
  });

  it("changes nothing where nothing is to change", () => {
    const text = deployment("image: 'app:1'");

    assert.equal(setImage(text, target, { container: "main", image: "app:1", ...minimal }), text);
    assert.equal(
      setAnnotations(text, target, { changes: [{ key: "none", value: undefined }], ...minimal }),
      text,
    );
  });
});

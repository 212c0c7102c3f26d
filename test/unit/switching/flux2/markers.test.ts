import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseResourceId } from "@weir/flux";
import { dedent } from "@weir/testing";
import { markFile } from "../../../../src/switching/flux2/mark-file.ts";
import { planMarks } from "../../../../src/switching/flux2/mark-files.ts";
import type { Marker } from "../../../../src/switching/flux2/markers.ts";

const comment = '# {"$imagepolicy": "flux-system:web"}';
const marker: Marker = {
  workload: parseResourceId("default:deployment/web"),
  container: "main",
  image: "example.test/web:1",
  comment,
};

function manifest(line: string, { name = "web", namespace = "default" } = {}): string {
  return dedent(`
    # The shop.
    apiVersion: apps/v1
    kind: Deployment
    metadata: { name: ${name}, namespace: ${namespace} }
    spec:
      template:
        spec:
          containers:
          - name: side
            image: example.test/web:1
          - name: main
            ${line}
            args: ["a"]   # kept
  `);
}

describe("markFile", () => {
  for (const line of [
    "image: example.test/web:1",
    "image: 'example.test/web:1'",
    'image: "example.test/web:2"',
    "image:   example.test/web:1  ",
  ]) {
    it(`adds the marker behind ${JSON.stringify(line)}, and nothing else, once`, () => {
      const before = manifest(line);

      const { text, marks } = markFile(before, [marker], "default");

      assert.deepEqual(
        marks.map((mark) => [mark.line, mark.outcome]),
        [[12, "added"]],
      );
      assert.equal(text.replace(` ${comment}`, ""), before);
      assert.match(text.split("\n")[11] ?? "", /web:[12]['"]? # \{"\$imagepolicy": "flux-system:web"\}/);
      assert.deepEqual(markFile(text, [marker], "default"), {
        text,
        marks: [{ marker, line: 12, outcome: "there already", reason: "" }],
      });
    });
  }

  it("keeps the line ends of Windows", () => {
    const before = manifest("image: example.test/web:1").replaceAll("\n", "\r\n");

    const { text } = markFile(before, [marker], "default");

    assert.equal(
      text,
      before
        .replace("args", "args")
        .replace(/(- name: main\r\n.*web:1)/, `$1 ${comment.replaceAll("$", "$$$$")}`),
    );
  });

  const refused: readonly (readonly [title: string, line: string, reason: RegExp])[] = [
    ["another comment", "image: example.test/web:1 # pinned", /another comment/],
    [
      "the marker of another policy",
      'image: example.test/web:1 # {"$imagepolicy": "a:b"}',
      /another comment/,
    ],
    ["another image", "image: example.test/other:1", /has image example\.test\/other:1/],
    [
      "a folded text",
      "image: >-\n              example.test/web:1\n",
      /change what the file means|end of its line/,
    ],
  ];
  for (const [title, line, reason] of refused) {
    it(`leaves a line alone that has ${title}`, () => {
      const before = manifest(line);

      const { text, marks } = markFile(before, [marker], "default");

      assert.equal(text, before);
      assert.match(marks[0]?.reason ?? "", reason);
    });
  }

  it("leaves a flow mapping alone", () => {
    const before = manifest("image: example.test/web:1").replace(
      /- name: main\n +image: (\S+)\n +args: .*/,
      "- { name: main, image: $1, args: [] }",
    );

    const { text, marks } = markFile(before, [marker], "default");

    assert.equal(text, before);
    assert.match(marks[0]?.reason ?? "", /end of its line/);
  });

  it("finds no image behind an alias, in another workload, or in a file that isn't YAML", () => {
    const alias = manifest("image: *image").replace(
      "image: example.test/web:1",
      "image: &image example.test/web:1",
    );
    for (const before of [
      alias,
      manifest("image: example.test/web:1", { namespace: "other" }),
      "a: [",
      "",
      "text",
    ]) {
      assert.deepEqual(markFile(before, [marker], "default"), { text: before, marks: [] });
    }
  });

  it("marks CronJobs, init containers, Lists, and objects of the default namespace", () => {
    const cronJob = dedent(`
      apiVersion: v1
      kind: List
      items:
      - apiVersion: batch/v1
        kind: CronJob
        metadata:
          name: web
        spec:
          jobTemplate:
            spec:
              template:
                spec:
                  initContainers:
                  - image: example.test/web:1
                    name: main
    `);
    const ofCronJob = { ...marker, workload: parseResourceId("shop:cronjob/web") };

    const { marks } = markFile(`---\n${cronJob}---\n`, [ofCronJob], "shop");

    assert.deepEqual(
      marks.map(({ line, outcome }) => [line, outcome]),
      [[15, "added"]],
    );
  });
});

describe("planMarks", () => {
  it("marks no workload that several manifests define, and names markers without a manifest", () => {
    const file = (path: string, name: string) => ({
      path,
      text: manifest("image: example.test/web:1", { name }),
    });
    const other = { ...marker, workload: parseResourceId("default:deployment/other") };
    const missing = { ...marker, workload: parseResourceId("default:deployment/missing") };

    const plan = planMarks(
      [file("a.yaml", "web"), file("b.yaml", "web"), file("c.yaml", "other")],
      [marker, other, missing],
      "default",
    );

    assert.deepEqual(
      plan.files.map(({ path }) => path),
      ["c.yaml"],
    );
    assert.deepEqual(
      plan.marks.map(({ path, outcome }) => [path, outcome]),
      [
        ["a.yaml", "refused"],
        ["b.yaml", "refused"],
        ["c.yaml", "added"],
      ],
    );
    assert.deepEqual(plan.unplaced, [missing]);
  });
});

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import type { JsonValue } from "@weir/base";
import { lacks, TempFolder } from "@weir/testing";
import { parseJsonPath } from "../../../src/jsonpath/index.ts";

/** An object that kubectl takes from a file, without asking a server. */
const object: JsonValue = {
  apiVersion: "example.test/v1",
  kind: "Thing",
  metadata: { name: "a", annotations: { witness: "kubectl" }, labels: { "example.test/app": "web" } },
  spec: {
    size: 3,
    big: 9007199254740991,
    ratio: 0.5,
    tiny: 0.00002,
    on: true,
    nothing: null,
    text: "<a> & \u00e9\ttab",
    one: { two: 2 },
    list: [
      { name: "x", n: 1, tags: ["p", "q"], ok: true },
      { name: "y", n: 12, tags: ["r"], ok: false },
      { name: "z", n: 3, tags: ["s"], extra: { name: "inner" } },
    ],
    empty: [],
  },
};

/** Templates that kubectl prints. */
const printed: readonly string[] = [
  "text",
  "{@}",
  "{$}",
  "{.}",
  "{}",
  "{.spec.size} {.spec.big} {.spec.ratio} {.spec.tiny} {.spec.on} {.spec.nothing} {.spec.text}",
  "{.spec.one}{.spec.list}{.spec.empty}",
  "{ .spec.size }",
  "{.spec.missing.x}|{.spec.missing[0]}|{.spec.missing[*].y}",
  "{.spec.list[*].name}",
  "{.spec.list[0,2].name}",
  "{.spec.list[-2].name}",
  "{.spec.list[].name}",
  "{.spec.list[:2].name}",
  "{.spec.list[-2:].name}",
  "{.spec.list[0:3:2].name}",
  "{.spec.list[1:1]}",
  "{.spec.list[*]['name', 'n']}",
  "{['metadata.name', 'spec.size']}",
  "{.metadata.labels.example\\.test/app}",
  "{.metadata['labels']['example\\.test/app']}",
  "{.spec.list[*].tags[*]}",
  '{range .spec.list[*]}{.name}{"\\t"}{range .tags[*]}{@}{","}{end}{"\\n"}{end}{.kind}',
  "{range .spec.empty[*]}{.name}{end}done",
  "{range .spec.missing}{.name}{end}done",
  '{.spec.list[?(@.name=="y")].n}',
  "{.spec.list[?(@.name=='y')].n}",
  "{.spec.list[?(@.n>2)].name}",
  "{.spec.list[?(@.n >= 3)].name}",
  '{.spec.list[?(@.name<"z")].name}',
  "{.spec.list[?(@.ok==false)].name}",
  "{.spec.list[?(@.extra)].name}",
  '{.spec.list[?(@.extra.name!="x")].name}',
  "{.spec.list[?(@.n==@.n)].name}",
  '{.spec.list[?(@.tags[0]=="r")].name}',
  "{.spec.list..name}",
  "{.spec.list...name}",
  "{.spec.one..}",
  "{.spec.one.*}",
  "{.kind.*}",
  '{.kind "x"}',
  '{"x" .kind}',
  "{1}{-2.5}{true}",
  "{\"\\u00e9\\x41\\101\\n\"}{'it\\'s'}",
  "a}b",
];

/** Templates that kubectl refuses. */
const refused: readonly string[] = [
  "{",
  "{.spec",
  "{.spec.list[0}",
  '{.spec.list["name"]}',
  "{.spec.list[a]}",
  "{.spec.list[9]}",
  "{.spec.list[2:1]}",
  "{.spec.list[::0]}",
  "{.spec.one[0]}",
  "{.spec.one[?(@.two)]}",
  "{.spec.list[?(@.n<>1)].name}",
  '{.spec.list[?(@.n=="1")].name}',
  "{.spec.list[?(@.ok<true)].name}",
  "{.spec.list[?(@.n==1].name}",
  "{..*}",
  "{....name}",
  "{kind}",
  "{end}",
  '{"x}',
  '{"\\q"}',
  "{1.2.3}",
  "{#}",
  "{.spec\n}",
];

const run = promisify(execFile);

/** What kubectl prints through a template; undefined if it refuses. */
async function kubectl(template: string, folder: TempFolder): Promise<string | undefined> {
  const args = ["annotate", "--local", "--overwrite", "-f", "object.json", "witness=kubectl"];
  try {
    const env = { PATH: process.env["PATH"] ?? "", HOME: folder.path, KUBECONFIG: "/dev/null" };
    return (await run("kubectl", [...args, "-o", `jsonpath=${template}`], { cwd: folder.path, env })).stdout;
  } catch {
    return undefined;
  }
}

function ours(template: string): string | undefined {
  try {
    return parseJsonPath(template).print(object);
  } catch {
    return undefined;
  }
}

describe("a jsonpath template, next to kubectl", { skip: lacks("kubectl") }, () => {
  for (const template of printed) {
    it(`prints the same for ${JSON.stringify(template)}`, async () => {
      using folder = new TempFolder();
      folder.write("object.json", JSON.stringify(object));

      const expected = await kubectl(template, folder);

      assert.notEqual(expected, undefined);
      assert.equal(ours(template), expected);
    });
  }

  for (const template of refused) {
    it(`is refused as well: ${JSON.stringify(template)}`, async () => {
      using folder = new TempFolder();
      folder.write("object.json", JSON.stringify(object));

      assert.deepEqual([await kubectl(template, folder), ours(template)], [undefined, undefined]);
    });
  }
});

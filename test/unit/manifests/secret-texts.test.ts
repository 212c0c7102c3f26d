import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fc, runs } from "@weir/testing/property";
import { stringify } from "yaml";
import { setAnnotations } from "../../../src/manifests/edit/set-annotations.ts";
import { setImage } from "../../../src/manifests/edit/set-image.ts";
import { setPaths } from "../../../src/manifests/edit/set-paths.ts";
import { toKubeObject } from "../../../src/manifests/kube-object.ts";
import { parsedFile } from "../../support/parsed-manifests.ts";

/** Nothing else in a file looks like this, not in part either. */
const canary = "xQ7zW9kV";
const telling = /xQ7|Q7z|7zW|zW9|W9k|9kV/i;

/** How a value may come to stand where it means something else. */
const places = [
  ...["@", "{{@}}", "{{ @ }}", "!!int @", "!!float @", "!!bool @", "!!null @", "!!timestamp @", "!!binary @"],
  ...[
    "*@",
    "&@ x",
    "&@ *@",
    "&a [*a, @]",
    "!@ x",
    "!@! x",
    "!<@> x",
    "!!@ x",
    "@: @: @",
    "@: {@: x}",
    "[@]: x",
  ],
  ...[
    "? [@]\n: x",
    "? {@: y}\n: @",
    "'@",
    '"@',
    '"\\@"',
    '"\\u@"',
    "|@",
    ">@\n@",
    "|9\n@",
    "|\n @\n@",
    "%@",
    "[@",
    "{@",
  ],
  ...[
    "@}",
    "@]",
    "`@`",
    "\t@",
    "<<: @",
    "<<: [@]",
    "- @",
    "@ #@",
    "~: @",
    "18446744073709551615: @",
    ".nan: @",
    ".inf",
  ],
] as const;

const place = fc.constantFrom(...places).map((text) => text.replaceAll("@", canary));

/** A Secret or a workload with the canary at some place, then perhaps broken somewhere. */
const file = fc
  .record({
    kind: fc.constantFrom("Secret", "Deployment", "HelmRelease", "List", "ConfigMap"),
    held: fc.jsonValue({ maxDepth: 2 }),
    at: fc.nat(),
    inserted: place,
    indent: fc.boolean(),
    directive: fc.constantFrom(
      "",
      `%YAML ${canary}\n---\n`,
      `%TAG !${canary}! a\n---\n`,
      `%${canary}\n---\n`,
    ),
    broken: fc.option(
      fc.tuple(fc.nat(), fc.constantFrom(":", "-", "{", "]", "&a ", "*a", "\t", "'", "|", "!")),
    ),
  })
  .map(({ kind, held, at, inserted, indent, directive, broken }) => {
    const manifest = {
      apiVersion: "v1",
      kind,
      metadata: { name: "web", annotations: { note: "SLOT" } },
      data: { one: "SLOT", two: held },
      items: [{ kind: "Deployment", metadata: { name: "SLOT" } }, "SLOT"],
      spec: {
        // What stands where a number belongs is quoted, as by Flux v1.
        replicas: 1,
        values: "SLOT",
        template: { spec: { containers: [{ name: "main", image: "app:1", args: "SLOT", env: ["SLOT"] }] } },
      },
    };
    const pieces = stringify(manifest, { lineWidth: 0 }).split("SLOT");
    const chosen = at % (pieces.length - 1);
    const text = pieces.reduce((sum, piece, index) => {
      const between = index - 1 === chosen ? (indent ? `\n      ${inserted}` : inserted) : "x";
      return sum + between + piece;
    });
    const whole = directive + text;
    const cut = broken === null ? 0 : broken[0] % (whole.length + 1);
    return broken === null ? whole : whole.slice(0, cut) + broken[1] + whole.slice(cut);
  });

const target = { namespace: "default", kind: "deployment", name: "web" };

describe("errors of manifests", () => {
  it("quote nothing of what a document holds", () => {
    let told = 0;
    fc.assert(
      fc.property(file, (text) => {
        for (const message of messagesOf(text)) {
          told += 1;
          assert.doesNotMatch(message, telling);
        }
      }),
      runs(5_000),
    );

    assert.ok(told > 2_000, `${told} errors`);
  });

  for (const [what, text, message] of [
    [
      "a template that was not filled in",
      `kind: Secret\nstringData:\n  p: {{${canary}}}\n`,
      'scanning multidoc from "app.yaml": yaml: invalid map key: !!map (line 3)',
    ],
    [
      "a text that is not what its tag says",
      `kind: Secret\nstringData:\n  p: !!int ${canary}\n`,
      'scanning multidoc from "app.yaml": yaml: cannot decode !!str as a !!int (line 3)',
    ],
  ] as const) {
    it(`name the line of ${what}`, () => {
      assert.equal(parsedFile(text).error?.message, message);
    });
  }
});

/** What is said of a file where it is loaded, applied and edited. */
function messagesOf(text: string): readonly string[] {
  const { manifests, error } = parsedFile(text);
  const works = [
    ...manifests.map((manifest) => () => toKubeObject(manifest.resourceIn("default"))),
    () => setImage(text, target, { container: "main", image: "app:2" }),
    () => setAnnotations(text, { ...target, kind: "secret" }, { changes: [{ key: "a/b", value: "c" }] }),
    () =>
      setPaths(
        text,
        { ...target, kind: "helmrelease" },
        { paths: [{ path: "spec.values.image", value: "c" }] },
      ),
  ];
  return [...(error === undefined ? [] : chainOf(error)), ...works.flatMap(messagesWhile)];
}

function messagesWhile(work: () => unknown): readonly string[] {
  try {
    work();
    return [];
  } catch (error) {
    return chainOf(error);
  }
}

/** An error and what it was caused by: any of them may be logged. */
function chainOf(error: unknown): readonly string[] {
  return error instanceof Error ? [error.message, ...chainOf(error.cause)] : [];
}

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { dedent } from "@weir/testing";
import { fc, runs } from "@weir/testing/property";
import { DocumentReader, ParsedDocuments, type YamlDocument } from "../../../src/go-yaml/decode.ts";
import { encodeYaml } from "../../../src/go-yaml/encode.ts";
import { QuickReader } from "../../../src/go-yaml/quick-reader.ts";
import { checkSource } from "../../../src/go-yaml/source-text.ts";
import { finish, type Steps } from "../../../src/go-yaml/steps.ts";

const manifests = dedent(`
  # The web server.
  ---
  apiVersion: apps/v1
  kind: Deployment
  metadata:
    name: web # in all clusters
    labels: {app: web, "tier": front-end}

    annotations:
      note: "a \\"quoted\\" text\\n"
      other: 'it''s'
  spec:
    replicas: 2
    template:
      spec:
        containers:
        - name: main
          image: example.com/web:1.0
          args: ["--port=80", -v]
          command:
            - sh
            - -c
            - |
              # not a comment
              exec web
          env: []
        - name: sidecar
  ---
  {
    "kind": "ConfigMap",
    "data": {"a": "1", "b": null},
    "list": [
      1.5, true,
      {}
    ]
  }
  ---
  - 1
  - - a
    - b: c
      d:
  ---
`);

/** Texts that the reader has to leave to the parser. */
const others = [
  "a: &x 1\nb: *x\n",
  "a: !!str 1\n",
  "a: one\n  two\n",
  'a: "one\n  two"\n',
  "a:\tb\n",
  "a: b\r\n",
  "a: b: c\n",
  "<<: {a: b}\n",
  "1: a\n",
  "a: b\n...\n",
  "a: b\n... c: d\n",
  "a:\n- b\n... c: d\n",
  "a: |\n  b\n... c: d\n",
  "... a: b\n",
  "%YAML 1.1\n---\na: b\n",
  "--- {a: b}\n",
  "? a\n: b\n",
  "a: [b,\n# c\nd]\n",
  "text\n",
];

/** What makes the difference in many places. */
const bits = [
  ...Array.from(" \n:-?{}[],#&*!|>'\"%@`~\t\\<=.019abn_é\r\u0085\u2028\ufeff\u{1f600}"),
  ...[
    "\n---\n",
    "---",
    "...",
    "\n... ",
    "\n  ",
    "\n- ",
    "\n  - ",
    "- ",
    ": ",
    " #",
    "# c\n",
    "\n\n",
    "<<: ",
    "|-\n",
    ">\n",
  ],
  ...[
    "''",
    '""',
    "null",
    "yes",
    "1.0",
    "0x1f",
    "1e3",
    "99999999999999999999",
    "__proto__: 1",
    "a: b",
    "{a: b}",
  ],
];

describe("QuickReader", () => {
  it("reads what manifests consist of", () => {
    const reader = new QuickReader(checkSource(manifests));

    const documents = Array.from({ length: 5 }, () => reader.next());

    assert.deepEqual(documents, [
      ...parsed(manifests).map(({ line, ...rest }) => ({ ...rest, line: line - 1 })),
      "end",
    ]);
  });

  for (const text of others) {
    it(`leaves ${JSON.stringify(text)} to the parser`, () => {
      const reader = new QuickReader(checkSource(`a: 1\n---\n${text}`));
      const alone = new QuickReader(checkSource(text));

      const results = [alone.next(), alone.place, reader.next(), reader.next(), reader.next()];

      assert.equal(results[0], "unsure");
      assert.deepEqual(results[1], { position: 0, line: 0 });
      assert.ok(results.slice(3).includes("unsure"));
    });
  }

  it("leaves a long document to the parser, which reads in steps", () => {
    const long = `a:\n${"- b\n".repeat(20_000)}`;
    const reader = new QuickReader(checkSource(`a: 1\n---\n${long}`));

    assert.notEqual(reader.next(), "unsure");
    assert.equal(reader.next(), "unsure");
    assert.deepEqual(reader.place, { position: 5, line: 1 });
  });

  it("leaves deep nesting to the parser", () => {
    for (const text of ["[".repeat(1_000) + "]".repeat(1_000), `${"- ".repeat(1_000)}a\n`]) {
      assert.equal(new QuickReader(checkSource(text)).next(), "unsure");
    }
  });
});

describe("DocumentReader", () => {
  it("reads what the parser reads, and fails where it fails", () => {
    const edits = fc.array(fc.tuple(fc.nat(), fc.constantFrom(...bits), fc.nat(2)), { maxLength: 4 });

    fc.assert(
      fc.property(startOf(), edits, (start, changes) => {
        const text = changes.reduce(edited, start);

        assert.deepEqual(outcomeOf(text, DocumentReader), outcomeOf(text, ParsedDocuments));
      }),
      runs(1_500),
    );
  });

  it("reads what the parser reads in any text", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...bits), { maxLength: 20 }), (pieces) => {
        const text = pieces.join("");

        assert.deepEqual(outcomeOf(text, DocumentReader), outcomeOf(text, ParsedDocuments));
      }),
      runs(1_000),
    );
  });
});

/** Documents as they're printed, or a part of the manifests above. */
function startOf(): fc.Arbitrary<string> {
  const printed = fc
    .array(fc.jsonValue({ maxDepth: 3 }), { minLength: 1, maxLength: 3 })
    .chain((values) =>
      fc.constantFrom(encodeYaml, JSON.stringify).map((print) => values.map((value) => print(value))),
    );
  const lines = manifests.split("\n");
  const part = fc
    .tuple(fc.nat(lines.length - 1), fc.integer({ min: 1, max: lines.length }))
    .map(([from, count]) => lines.slice(from, from + count).join("\n"));
  return fc.oneof(
    printed.map((texts) => texts.map((text) => `---\n${text}\n`).join("")),
    part,
  );
}

function edited(text: string, [place, bit, cut]: readonly [number, string, number]): string {
  const at = place % (text.length + 1);
  return text.slice(0, at) + bit + text.slice(at + cut);
}

function parsed(text: string): readonly YamlDocument[] {
  const { documents, error } = outcomeOf(text, ParsedDocuments);
  assert.equal(error, undefined);
  return documents;
}

type Reader = new (source: ReturnType<typeof checkSource>) => { next(): Steps<YamlDocument | undefined> };

function outcomeOf(
  text: string,
  Documents: Reader,
): { readonly documents: readonly YamlDocument[]; readonly error: unknown } {
  const reader = new Documents(checkSource(text));
  const documents: YamlDocument[] = [];
  try {
    for (let next = finish(reader.next()); next !== undefined; next = finish(reader.next())) {
      documents.push(next);
    }
    return { documents, error: undefined };
  } catch (error) {
    return { documents, error: String(error) };
  }
}

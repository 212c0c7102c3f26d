import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { UsageError } from "../../../../../cmd/fluxctl/command.ts";
import {
  fluxOutputFormatOf,
  outputFormatOf,
  type Printable,
  printAs,
} from "../../../../../cmd/fluxctl/output/format.ts";
import type { Terminal } from "../../../../../cmd/fluxctl/terminal.ts";

const found: Printable = {
  isEmpty: false,
  json: () => [
    { ID: "a", Labels: { flag: "yes", version: "1.0", mode: "<x>" }, Messages: null, Containers: [] },
  ],
  table: (wide) => (wide ? "wide\n" : "narrow\n"),
  names: () => ["a", "b"],
};

describe("printAs", () => {
  for (const [format, text] of [
    ["tab", "narrow\n"],
    ["wide", "wide\n"],
    ["name", "a\nb\n"],
    [
      "json",
      '[{"ID":"a","Labels":{"flag":"yes","version":"1.0","mode":"\\u003cx\\u003e"},"Messages":null,"Containers":[]}]\n',
    ],
    [
      "yaml",
      `- ID: a
  Labels:
    flag: 'yes'
    version: '1.0'
    mode: <x>
  Messages: null
  Containers: []
`,
    ],
  ] as const) {
    it(`prints ${format}`, async () => {
      assert.equal(await printAs(format, found), text);
    });
  }

  it("prints nothing found as null in JSON, and as an empty list in YAML", async () => {
    const nothing: Printable = { isEmpty: true, json: () => null, table: () => "", names: () => [] };

    assert.deepEqual(
      [await printAs("json", nothing), await printAs("yaml", nothing), await printAs("name", nothing)],
      ["null\n", "[]\n", ""],
    );
  });
});

describe("fluxOutputFormatOf", () => {
  const script: Terminal = { out: () => undefined, err: () => undefined, env: {} };
  const screen = { columns: () => 80, rows: () => 24 };

  it("refuses YAML to a script, as Flux v1, and nothing else that there is", () => {
    assert.throws(() => fluxOutputFormatOf("yaml", script), UsageError);
    assert.deepEqual(
      ["tab", "json", "wide", "name"].map((name) => fluxOutputFormatOf(name, script)),
      ["tab", "json", "wide", "name"],
    );
  });

  it("gives YAML to whoever sits before a screen, also through a pipe", () => {
    assert.equal(fluxOutputFormatOf("yaml", { ...script, screen }), "yaml");
    assert.equal(fluxOutputFormatOf("yaml", { ...script, errScreen: screen }), "yaml");
  });
});

describe("outputFormatOf", () => {
  it("refuses what is no format, and says which there are", () => {
    assert.equal(outputFormatOf("yaml"), "yaml");
    assert.throws(
      () => outputFormatOf("xml"),
      new UsageError("invalid output format specified", {
        advice: ["The formats are tab, json, yaml, wide, name, jsonpath=TEMPLATE."],
      }),
    );
  });
});

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { makeResourceId, type ResourcePreview } from "@weir/flux";
import fc from "fast-check";
import {
  leastMaxSize,
  type MarkdownReport,
  printMarkdown,
} from "../../../../../cmd/fluxctl/output/diff-markdown.ts";

const sides = { before: "base", after: "local" };
const golden = join(import.meta.dirname, "..", "..", "..", "..", "fixtures", "fluxctl-markdown", "report.md");

function preview(kind: string, name: string, given: Partial<ResourcePreview>): ResourcePreview {
  return {
    id: makeResourceId("shop", kind, name),
    apiVersion: "v1",
    source: `${name}.yaml`,
    action: "change",
    before: null,
    after: null,
    error: "",
    reason: "",
    ...given,
  };
}

function configMap(name: string, data: Readonly<Record<string, string>>) {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data };
}

const report: MarkdownReport = {
  changes: [
    preview("ConfigMap", "fences", {
      before: configMap("fences", { text: "one\n```\ntwo" }),
      after: configMap("fences", { text: "one\n````\n</details>\n<script>alert(1)</script>" }),
    }),
    preview("ConfigMap", "gone", { action: "delete", source: "", before: configMap("gone", { a: "b" }) }),
    preview("ConfigMap", "left", { action: "leave", reason: "ignore annotation in file" }),
    preview("ConfigMap", "new", {
      action: "create",
      source: "a<b>&`c`.yaml",
      after: configMap("new", { a: "b" }),
      error: "it is refused",
    }),
    preview("Job", "hook", { action: "run", after: configMap("hook", {}) }),
  ],
  problems: ["a.yaml:3: shop:configmap/new: it is ```refused```"],
  notes: ["Deletions of <b>@everyone</b> are not shown."],
};

/** The lines that aren't in a code block. */
function openLines(markdown: string): readonly string[] {
  const open: string[] = [];
  let fence: string | undefined;
  for (const line of markdown.split("\n")) {
    const [ticks] = /^`{3,}/.exec(line) ?? [];
    if (fence === undefined && ticks !== undefined) {
      fence = ticks;
    } else if (fence === undefined) {
      open.push(line);
    } else if (/^`+$/.test(line) && line.length >= fence.length) {
      fence = undefined;
    }
  }
  assert.equal(fence, undefined, "a fence isn't closed");
  return open;
}

describe("a diff as Markdown", () => {
  it("has a stable layout", () => {
    assert.equal(printMarkdown(report, { sides, maxSize: 0 }), readFileSync(golden, "utf8"));
  });

  it("tells the three counts even if nothing differs", () => {
    assert.equal(
      printMarkdown({ changes: [], problems: [], notes: [] }, { sides, maxSize: 0 }),
      "<!-- fluxctl diff -->\n\n**0 added, 0 changed, 0 removed**\n",
    );
  });

  it("has one block for each change, whatever manifests, names, and messages contain", () => {
    const nasty = fc.array(
      fc.constantFrom(
        "`",
        "```",
        "~~~",
        "\n",
        "<",
        ">",
        "&",
        "</details>",
        "<!--",
        "a",
        "\r",
        "*",
        "@you",
        "'",
      ),
    );
    const text = nasty.map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text, text), { maxLength: 4 }), text, (objects, note) => {
        const changes = objects.map(([source, value, error]) =>
          preview("ConfigMap", "a", { source, error, after: configMap("a", { value }) }),
        );
        const problems = objects.map(([source, , error]) => `${source}: ${error}`.replaceAll(/\s+/g, " "));
        const open = openLines(printMarkdown({ changes, problems, notes: [note] }, { sides, maxSize: 0 }));

        assert.equal(open.filter((line) => line.startsWith("<details>")).length, changes.length);
        assert.equal(open.filter((line) => line === "</details>").length, changes.length);
        const rest = open.filter((line) => !/^(<details>|<\/details>$|<!-- fluxctl diff -->$)/.test(line));
        assert.doesNotMatch(rest.join("\n"), /[<@]/);
      }),
    );
  });

  it("never exceeds its limit, leaves out whole objects, and says how many", () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 3_000 }), { maxLength: 12 });
    fc.assert(
      fc.property(sizes, sizes, fc.integer({ min: leastMaxSize, max: 9_000 }), (objects, found, maxSize) => {
        const changes = objects.map((size, index) =>
          preview("ConfigMap", `a${index}`, { after: configMap("a", { value: "ü".repeat(size) }) }),
        );
        const problems = found.map((size) => "x".repeat(size));
        const text = printMarkdown({ changes, problems, notes: [] }, { sides, maxSize });

        assert.ok(Buffer.byteLength(text) <= maxSize, `${Buffer.byteLength(text)} bytes`);
        const shown = openLines(text).filter((line) => line.startsWith("<details>")).length;
        const told = /^(\d+) objects? (is|are) left out/m.exec(text)?.[1] ?? "0";
        assert.equal(shown + Number(told), changes.length);
      }),
    );
  });
});

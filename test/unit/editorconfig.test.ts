import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

const root = join(import.meta.dirname, "..", "..");

/** The settings of the section for all files. */
function editorSettings(): ReadonlyMap<string, string> {
  const [, section = ""] = /^\[\*\]$([^[]*)/m.exec(readFileSync(join(root, ".editorconfig"), "utf8")) ?? [];
  const lines = section.split("\n").filter((line) => line.includes("=") && !line.startsWith("#"));
  return new Map(lines.map((line) => line.split(" = ") as [string, string]));
}

describe(".editorconfig", () => {
  it("says what biome.json says", () => {
    const { formatter } = JSON.parse(readFileSync(join(root, "biome.json"), "utf8")) as {
      readonly formatter: Readonly<Record<string, string | number>>;
    };
    const settings = editorSettings();

    assert.deepEqual(
      {
        indentStyle: settings.get("indent_style"),
        indentWidth: Number(settings.get("indent_size")),
        lineWidth: Number(settings.get("max_line_length")),
      },
      formatter,
    );
  });
});

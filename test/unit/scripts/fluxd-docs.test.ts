import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { flagsOf } from "@weir/cli";
import { type RecordedFlag, readFluxdManual } from "../../../scripts/fluxd-docs/manual.ts";
import { printFluxdMarkdown } from "../../../scripts/fluxd-docs/markdown.ts";
import { notes } from "../../../scripts/fluxd-docs/notes.ts";
import { declareFluxdFlags } from "../../../src/fluxd-flags/flags.ts";
import { readTable } from "../../support/parity.ts";

const recorded = readTable("fluxd/flags.jsonl") as readonly RecordedFlag[];
const groups = readFluxdManual(recorded);
const flags = groups.flatMap((group) => group.flags);
const page = printFluxdMarkdown(groups);

describe("the reference of fluxd", () => {
  it("has a section for each flag of fluxd, and only for these", () => {
    const declared = flagsOf(declareFluxdFlags("")).map(({ declaration }) => declaration.name);

    const sections = [...page.matchAll(/^### (.*)$/gm)].map(([, name]) => name);

    assert.deepEqual(sections.toSorted(), declared.toSorted());
  });

  it("gives the recorded default of each flag of Flux v1", () => {
    const named = recorded.filter(({ helpDefault }) => helpDefault?.startsWith('"') === true);

    const rows = named.map(({ name, helpDefault }) => {
      const row = page.split("\n").find((line) => line.startsWith(`| [\`--${name}\`]`));
      const own = `| \`${helpDefault?.slice(1, -1) ?? ""}\` | same`;
      return [name, row?.includes(own) === true];
    });

    assert.ok(rows.length > 10);
    assert.deepEqual(
      rows.filter(([, found]) => found !== true),
      [],
    );
  });

  it("says which flags only Weir has, which do nothing, and which are deprecated", () => {
    const named = (wanted: (typeof flags)[number]): string => wanted.name;

    const own = flags.filter(({ standardInFlux }) => standardInFlux === undefined).map(named);
    const useless = flags.filter((flag) => flag.useless).map(named);
    const deprecated = flags.filter((flag) => flag.deprecated !== undefined).map(named);

    const names = new Set(recorded.map(({ name }) => name));
    assert.deepEqual(
      own,
      flags.map(named).filter((name) => !names.has(name)),
    );
    assert.deepEqual(useless.toSorted(), ["k8s-verbosity", "kubernetes-kubectl"]);
    assert.deepEqual(
      deprecated.toSorted(),
      recorded
        .filter(({ hidden }) => hidden)
        .map(({ name }) => name)
        .toSorted(),
    );
  });

  it("shows a default that differs from Flux v1", () => {
    const [branch] = flags.filter(({ name }) => name === "git-branch");
    assert.ok(branch);
    const text = printFluxdMarkdown([{ title: "Git", flags: [{ ...branch, standardInFlux: "trunk" }] }]);

    assert.ok(text.includes("Default: `master`. Default in Flux v1: `trunk`."));
    assert.ok(text.includes("| [`--git-branch`](#git-branch) | `master` | `trunk` |"));
  });

  it("has no note about a flag that doesn't exist", () => {
    const names = new Set(flags.map(({ name }) => name));

    assert.deepEqual(
      Object.keys(notes).filter((name) => !names.has(name)),
      [],
    );
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readTable } from "../support/parity.ts";
import { runKubeyaml } from "./kubeyaml-command.ts";

/** A recorded run of kubeyaml 0.7.0 with ruamel.yaml 0.15.100. */
interface Recording {
  readonly id: string;
  readonly topic: string;
  readonly args: readonly string[];
  readonly input?: string;
  readonly inputB64?: string;
  readonly exit: number;
  readonly output: string | null;
}

const recordings = readTable("kubeyaml/fixtures.jsonl") as readonly Recording[];

/** Strings that kubeyaml writes as words which kubectl reads as booleans, so that the object cannot be applied. */
const mended: Readonly<Partial<Record<string, readonly [theirs: string, ours: string]>>> = {
  "multi-doc-18": ["x: y", "x: 'y'"],
  "helmrelease-newtag-yes": ["tag: yes", "tag: 'yes'"],
  "helmrelease-newtag-on": ["tag: on", "tag: 'on'"],
  "helmrelease-newtag-NO": ["tag: NO", "tag: 'NO'"],
  "annotate-add-29": ["x: y", "x: 'y'"],
  "annotate-values-008": ["note: no", "note: 'no'"],
  "annotate-values-009": ["note: on", "note: 'on'"],
  "annotate-values-011": ["note: y", "note: 'y'"],
  "anchors-18": ["n: v", "'n': v"],
  "scalars-22": ["flag: no", "flag: 'no'"],
  "crlf-10": ["n: v", "'n': v"],
};

describe("an edited file is, byte for byte, what kubeyaml makes of it", () => {
  for (const [topic, lines] of Map.groupBy(recordings, ({ topic }) => topic)) {
    it(`${topic} (${lines.length})`, () => {
      const failing = lines.filter((line) => !isReproduced(line)).map(({ id }) => id);

      assert.deepEqual(failing, []);
    });
  }
});

function isReproduced({ id, args, input, inputB64, exit, output }: Recording): boolean {
  const bytes = inputB64 === undefined ? (input ?? "") : Buffer.from(inputB64, "base64");
  const outcome = runKubeyaml(args, bytes);
  const [theirs = "", ours = ""] = mended[id] ?? [];
  const expected = output?.replace(theirs, ours) ?? null;
  return outcome.exit === exit && outcome.output === expected;
}

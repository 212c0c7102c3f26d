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

describe("an edited file is, byte for byte, what kubeyaml makes of it", () => {
  for (const [topic, lines] of Map.groupBy(recordings, ({ topic }) => topic)) {
    it(`${topic} (${lines.length})`, () => {
      const failing = lines.filter((line) => !isReproduced(line)).map(({ id }) => id);

      assert.deepEqual(failing, []);
    });
  }
});

function isReproduced({ args, input, inputB64, exit, output }: Recording): boolean {
  const bytes = inputB64 === undefined ? (input ?? "") : Buffer.from(inputB64, "base64");
  const outcome = runKubeyaml(args, bytes);
  return outcome.exit === exit && outcome.output === output;
}

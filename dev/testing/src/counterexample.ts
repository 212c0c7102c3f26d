/**
 * Counterexamples of property tests as files: `npm run fuzz` writes one when a property fails, and the replay
 * in test/fuzz passes it to the same property again. Converts fast-check's details to JSON and back.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import * as testRunner from "node:test";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";

const root = join(import.meta.dirname, "../../..");

/** Values for which a property failed. */
export interface Counterexample {
  /** The test file, relative to the root of the repository. */
  readonly file: string;
  /** The full name of the test, with its suites, and the index of the property in it. */
  readonly test: string;
  readonly property: number;
  /** The values of WEIR_FUZZ_SEED and WEIR_FUZZ_RUNS that reproduce it. */
  readonly seed: number;
  readonly runs: string;
  /** Missing if JSON can't represent them. */
  readonly values?: readonly unknown[];
}

/** Writes the smallest values for which a property fails to a new file in the folder. */
export function recordInto(folder: string, runs: string): void {
  const properties = propertyCounter();
  fc.installGlobalPlugin(() => {
    const { file, test } = currentTest();
    const property = properties(test);
    return {
      onAllRunsComplete({ counterexample, seed }) {
        if (counterexample !== null) {
          write(folder, { file, test, property, seed, runs, ...valuesOf(counterexample) });
        }
      },
    };
  });
}

/** Tries these values first in the property, if only the test of this counterexample runs. */
export function replay({ test, property, values }: Counterexample): void {
  const properties = propertyCounter();
  fc.installGlobalPlugin(() => {
    let isNext = properties(test) === property && values !== undefined;
    return {
      decorateGenerate: (generate) => (random, id) => {
        const given = isNext ? new fc.Value<unknown>(values, undefined) : undefined;
        isNext = false;
        return given ?? generate(random, id);
      },
    };
  });
}

/** Reads a file that `recordInto` wrote. */
export function readCounterexample(file: string): Counterexample {
  return JSON.parse(readFileSync(file, "utf8")) as Counterexample;
}

/** Counts the properties of each test from 0. */
function propertyCounter(): (test: string) => number {
  const next = new Map<string, number>();
  return (test) => {
    const property = next.get(test) ?? 0;
    next.set(test, property + 1);
    return property;
  };
}

function currentTest(): { readonly file: string; readonly test: string } {
  if (!("getTestContext" in testRunner)) {
    throw new Error("recording counterexamples requires Node.js 24.19 or later");
  }
  const context = testRunner.getTestContext();
  if (context?.filePath === undefined) {
    throw new Error("a property is not in a test");
  }
  return { file: relative(root, context.filePath), test: context.fullName };
}

function valuesOf(counterexample: unknown): Pick<Counterexample, "values"> {
  const text = JSON.stringify(counterexample);
  return Array.isArray(counterexample) && isDeepStrictEqual(JSON.parse(text), counterexample)
    ? { values: counterexample }
    : {};
}

function write(folder: string, counterexample: Counterexample): void {
  mkdirSync(folder, { recursive: true });
  const name = counterexample.test
    .replaceAll(/[^a-zA-Z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .toLowerCase();
  let file = join(folder, `${name}.json`);
  for (let number = 2; existsSync(file); number += 1) {
    file = join(folder, `${name}-${number}.json`);
  }
  writeFileSync(file, `${JSON.stringify(counterexample, undefined, 2)}\n`);
}

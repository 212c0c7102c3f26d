/**
 * Counterexamples of properties as files: what `npm run fuzz` writes when a property fails, and what the replay in
 * test/fuzz gives to the same property again. In flow the details of fast-check, out flow JSON, and back.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import * as testRunner from "node:test";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";

const root = join(import.meta.dirname, "../../..");

/** Values for which a property did not hold. */
export interface Counterexample {
  /** The test file, from the root of the repository. */
  readonly file: string;
  /** The name of the test after those of its suites, and which of its properties it is, counted from 0. */
  readonly test: string;
  readonly property: number;
  /** What WEIR_FUZZ_SEED and WEIR_FUZZ_RUNS have to be to find it again. */
  readonly seed: number;
  readonly runs: string;
  /** Missing where JSON cannot hold them. */
  readonly values?: readonly unknown[];
}

/** Writes the smallest values for which a property fails into a new file of the folder. */
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

/** Gives its values to the property first, where only the test of this counterexample runs. */
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

/** Reads what `recordInto` wrote. */
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
    throw new Error("to write counterexamples down takes Node 24.19 or later");
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

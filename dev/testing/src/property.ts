/**
 * fast-check with the seed of this run: a fixed one, so that `npm test` tries the same cases each time,
 * unless WEIR_FUZZ_SEED sets another. WEIR_FUZZ_RUNS=10 makes a property try ten times as many cases, and 0.34 a third, if it
 * sets their number with `runs` or not at all; properties that run a whole program for each case set
 * `numRuns` themselves. Counterexamples are written to the folder WEIR_FUZZ_FOUND, and the counterexample in
 * the file WEIR_FUZZ_REPLAY is tried first. This also applies to tests that import fast-check directly,
 * because the scripts in package.json load this module before them.
 */
import fc from "fast-check";

/** The seed of `npm test`. */
const fixedSeed = 20_201_125;

const seed = wholeNumber("WEIR_FUZZ_SEED") ?? fixedSeed;
const times = numberIn("WEIR_FUZZ_RUNS") ?? 1;

fc.configureGlobal({ seed, ...runs(100) });
await exchangeCounterexamples();

/** How many cases a property tries in this run, given its usual number. */
export function runs(usual: number): { readonly numRuns: number } {
  return { numRuns: Math.ceil(usual * times) };
}

async function exchangeCounterexamples(): Promise<void> {
  const { WEIR_FUZZ_FOUND: found, WEIR_FUZZ_REPLAY: replayed } = process.env;
  if (found !== undefined) {
    (await import("./counterexample.ts")).recordInto(found, String(times));
  }
  if (replayed !== undefined) {
    const { readCounterexample, replay } = await import("./counterexample.ts");
    replay(readCounterexample(replayed));
  }
}

function wholeNumber(name: string): number | undefined {
  const number = numberIn(name);
  if (number !== undefined && !Number.isSafeInteger(number)) {
    throw new Error(`${name} must be a whole number, not ${number}`);
  }
  return number;
}

function numberIn(name: string): number | undefined {
  const text = process.env[name];
  if (text === undefined || text === "") {
    return undefined;
  }
  const number = Number(text);
  if (!(number > 0)) {
    throw new Error(`${name} must be a number greater than 0, not ${text}`);
  }
  return number;
}

export { fc };

/**
 * fast-check with the seed of this run: a fixed one, so that `npm test` tries the same cases each time, unless
 * WEIR_FUZZ_SEED gives another. WEIR_FUZZ_RUNS=10 has a property try ten times as many cases if it says how many by
 * `runs`, or does not say; those that ask a whole program for each case give `numRuns` themselves. Counterexamples
 * are written into the folder WEIR_FUZZ_FOUND, and that of the file WEIR_FUZZ_REPLAY is tried first. Tests that take
 * fast-check as it is follow where this module is loaded before them, as the scripts in package.json see to.
 */
import fc from "fast-check";

/** The seed of `npm test`. */
const fixedSeed = 20_201_125;

const seed = numberIn("WEIR_FUZZ_SEED") ?? fixedSeed;
const times = numberIn("WEIR_FUZZ_RUNS") ?? 1;

fc.configureGlobal({ seed, ...runs(100) });
await exchangeCounterexamples();

/** How many cases a property tries in this run that usually tries that many. */
export function runs(usual: number): { readonly numRuns: number } {
  return { numRuns: usual * times };
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

function numberIn(name: string): number | undefined {
  const text = process.env[name];
  if (text === undefined || text === "") {
    return undefined;
  }
  const number = Number(text);
  if (!Number.isSafeInteger(number)) {
    throw new Error(`${name} is not a whole number: ${text}`);
  }
  return number;
}

export { fc };

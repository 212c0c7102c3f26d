/**
 * fast-check with the seed of this run: a fixed one, so that `npm test` tries the same cases each time, unless
 * WEIR_FUZZ_SEED gives another; WEIR_FUZZ_RUNS=10 has each property try ten times as many. A property that fails
 * tells its seed. Tests that take fast-check as it is follow where this module is loaded before them, as
 * scripts/test.ts and scripts/fuzz.ts see to.
 */
import fc from "fast-check";

/** The seed of `npm test`. */
const fixedSeed = 20_201_125;

const seed = numberIn("WEIR_FUZZ_SEED") ?? fixedSeed;
const times = numberIn("WEIR_FUZZ_RUNS") ?? 1;

fc.configureGlobal({ seed, ...runs(100) });

/** How many cases a property tries in this run that usually tries that many. */
export function runs(usual: number): { readonly numRuns: number } {
  return { numRuns: usual * times };
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

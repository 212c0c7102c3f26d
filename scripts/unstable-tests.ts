/** Which files of tests are run once more, alone, after everything else: to tell what's broken from what's unstable. */
import type { TestOutcome } from "../test/support/count-reporter.ts";

/** With more failures than in so many files, something is broken that no second run mends. */
const mostFiles = 3;

/** The files to run again, as paths; none if too many tests failed, or something other than tests. */
export function filesToRunAgain(failures: readonly TestOutcome[]): readonly string[] {
  // A suite that a helper describes has the helper's file; its tests have their own.
  const files = new Set(failures.map(({ file }) => file).filter((file) => file.endsWith(".test.ts")));
  return files.size > mostFiles ? [] : [...files];
}

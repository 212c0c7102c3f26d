import { join } from "node:path";

/** Names the folder with the programs to test, for tests of programs that were built or delivered in another way. */
export const programsVariable = "WEIR_TEST_PROGRAMS";

/** The folder with the fluxd and fluxctl to test: `dist` unless WEIR_TEST_PROGRAMS names another. */
export const programs = process.env[programsVariable] ?? join(import.meta.dirname, "..", "..", "dist");

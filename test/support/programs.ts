import { join } from "node:path";

/** Names the folder with the programs to test, for tests of programs that were built or delivered in another way. */
export const programsVariable = "WEIR_TEST_PROGRAMS";

const dist = join(import.meta.dirname, "..", "..", "dist");

/** The folder with the fluxd and fluxctl to test: `dist` unless WEIR_TEST_PROGRAMS names another. */
export const programs = process.env[programsVariable] ?? dist;

/** The console, which isn't delivered together with fluxd and fluxctl: that in `dist`. */
export const consoleProgram = join(dist, "weir-console");

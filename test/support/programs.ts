import { join } from "node:path";

/**
 * The folder with the fluxd and fluxctl to test: `dist`, or the one that WEIR_TEST_PROGRAMS names, for tests of programs
 * that were built in another way.
 */
export const programs = process.env["WEIR_TEST_PROGRAMS"] ?? join(import.meta.dirname, "..", "..", "dist");

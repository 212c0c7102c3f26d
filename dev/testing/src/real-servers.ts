/**
 * Whether tests that can run on either run on a real control plane instead of the embedded cluster, and on PostgreSQL
 * instead of PGlite: `npm run test:full` sets it for the files that have such tests.
 */
export const realServers: boolean = process.env["WEIR_TEST_SERVERS"] === "real";

/**
 * Measures the console: its store with 10,000 workloads and 10,000 events, on PostgreSQL and on the embedded PGlite,
 * and the built program with many daemons. `npm run build && npm run build:page`, then `node dev/bench/console.ts`, or with
 * another number of daemons than 1,000: `node dev/bench/console.ts 100`.
 */
import { PostgresServer } from "../../hub/test/support/postgres-server.ts";
import { measureFleet } from "./console/fleet.ts";
import { measureStore } from "./console/store.ts";
import { printTable } from "./support/table.ts";

const [daemons = 1_000] = process.argv.slice(2).map(Number);

await using server = await PostgresServer.start();
console.log(
  printTable(
    "10,000 workloads, PostgreSQL",
    await measureStore({ kind: "server", url: await created("store") }),
  ),
);
console.log(printTable("10,000 workloads, PGlite", await measureStore({ kind: "memory" })));
console.log(printTable(`${daemons} daemons`, await measureFleet(await created("fleet"), daemons)));

/** The URL of a new database. */
async function created(name: string): Promise<string> {
  await server.administer(`create database ${name}`);
  return server.url(name);
}

/**
 * Checks that the licenses of all packages in what is delivered are in an allow-list; `npm test` runs it after a build.
 * Exits with 1 and names the packages of which that isn't true.
 */
import { join } from "node:path";
import { judgeLicenses } from "./licenses/judge.ts";
import { readProductionPackages } from "./licenses/read-packages.ts";

const packages = readProductionPackages(join(import.meta.dirname, ".."));
const complaints = judgeLicenses(packages);
complaints.forEach((complaint) => console.error(`Error: ${complaint}`));
console.log(`${packages.length - complaints.length} of ${packages.length} packages have an allowed license`);
process.exitCode = complaints.length === 0 ? 0 : 1;

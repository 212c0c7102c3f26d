/**
 * `node scripts/lock-packages.ts`: pins the Debian packages of the images to what Debian has now, in
 * docker/packages-lock.json. Do it when there are security updates, and commit the result.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { architectures } from "../dev/release/images/architecture.ts";
import { resolvePackages } from "../dev/release/images/resolve-packages.ts";

const file = join(import.meta.dirname, "..", "docker", "packages-lock.json");

const date = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
const resolved = [];
for (const architecture of architectures) {
  console.error(`weir: asking Debian for the packages of ${architecture.name}`);
  resolved.push([architecture.name, await resolvePackages(architecture)] as const);
}
const lock = { date, packages: Object.fromEntries(resolved) };
await writeFile(file, `${JSON.stringify(lock, undefined, 2)}\n`);

/**
 * `npm run set-version -- X`: makes the working tree that of version X, to be committed before a release. See
 * docs/releasing.md.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { refusals } from "../dev/release/refusals.ts";
import { setVersion, versionOf } from "../dev/release/set-version.ts";

const root = join(import.meta.dirname, "..");

function main([version, ...rest]: readonly string[]): number {
  if (version === undefined || rest.length > 0) {
    console.error("Usage: npm run set-version -- X, where X is a version such as 1.2.3");
    return 2;
  }
  const refused = refusals({
    version,
    dirty: [],
    tags: execFileSync("git", ["tag", "--list"], { cwd: root, encoding: "utf8" }).split("\n"),
    changelog: readFileSync(join(root, "CHANGELOG.md"), "utf8"),
    packageVersion: versionOf(root),
    out: "",
    outExists: false,
  });
  for (const refusal of refused) {
    console.error(`Error: ${refusal}`);
  }
  if (refused.length > 0) {
    return 1;
  }
  setVersion(root, version, new Date().toISOString().slice(0, 10));
  console.log(`This is version ${version} now: look at \`git diff\`, and commit it.`);
  return 0;
}

process.exitCode = main(process.argv.slice(2));

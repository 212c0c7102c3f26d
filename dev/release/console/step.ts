import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { contentsOfPage } from "../../../scripts/build/page-files.ts";
import { contentsOfPrograms } from "../../../scripts/build/program-contents.ts";
import { writeTree } from "../../../scripts/build/write-tree.ts";
import { packArchive } from "../archive.ts";
import type { ReleaseStep } from "../context.ts";

/** In `deploy/console`: the unit for systemd, and the file for `docker compose`. */
const files = ["compose.yaml", "weir-console.service"];

/** Packs the console with its page, and what starts it outside of Kubernetes. It needs Node.js beside it. */
export const consoleStep: ReleaseStep = async ({ root, version, sourceDate, out, work, say, signal }) => {
  say("packing the console");
  const name = `weir-console_${version}`;
  const folder = join(work, "console", name);
  const contents = [
    ...contentsOfPrograms(root, ["weir-console"]),
    ...contentsOfPage(root),
    ...files.map((path) => ({ path, contents: readFileSync(join(root, "deploy", "console", path)) })),
  ];
  writeTree(
    folder,
    contents.map((file) => ({ ...file, path: join(folder, file.path) })),
  );
  mkdirSync(join(out, "bin"), { recursive: true });
  const archive = join(out, "bin", `${name}.tar.gz`);
  await packArchive({ folder, archive, sourceDate }, signal);
  return [archive];
};

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ReleaseStep } from "../context.ts";
import { npmPack } from "../npm-pack.ts";
import { compile } from "./compile.ts";
import { libraries } from "./libraries.ts";
import { stageLibrary } from "./stage-library.ts";
import { stagePrograms } from "./stage-programs.ts";
import { readWorkspaces } from "./workspaces.ts";

/** Packs what is published on npm: the programs from `dist`, and the libraries, compiled and with their types. */
export const packagesStep: ReleaseStep = async ({ root, version, out, work, say, signal }) => {
  const compiled = join(work, "compiled");
  const destination = join(out, "packages");
  const staged = join(work, "packages");
  mkdirSync(destination, { recursive: true });
  say("compiling the libraries");
  const sources = libraries.flatMap(({ doors, threads }) => [...Object.values(doors), ...threads]);
  const workspaces = readWorkspaces(root);
  await compile({ root, sources, doors: workspaces.doors, output: compiled, signal });
  const folders = libraries.map((library) => {
    const folder = join(staged, library.name);
    stageLibrary(library, { root, workspaces, compiled, version, folder });
    return folder;
  });
  const programs = join(staged, "weir");
  stagePrograms({ root, version, folder: programs });
  const made: string[] = [];
  for (const folder of [programs, ...folders]) {
    made.push(join(destination, await npmPack(folder, destination, signal)));
  }
  return made;
};

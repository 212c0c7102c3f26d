import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { noticesFile, noticesOf } from "../../../scripts/build/program-contents.ts";
import { runTool } from "../run-tool.ts";
import { bundlesOf } from "./bundles.ts";
import type { Program } from "./platforms.ts";

/** What is released beside an executable, by what it is. */
export interface ProgramFiles {
  /** By their paths, e.g. "man1/fluxctl-sync.1". */
  readonly manPages: ReadonlyMap<string, string>;
  /** By their shells. */
  readonly completions: ReadonlyMap<Shell, string>;
  /** Licenses and notices, by the names of their files. */
  readonly legal: ReadonlyMap<string, string>;
}

/** A shell for which fluxctl prints completions. */
export type Shell = "bash" | "zsh" | "fish";

const shells: readonly Shell[] = ["bash", "zsh", "fish"];

/** Where to find them. */
export interface SourcesOfFiles {
  /** The folder of the repository, in which `npm run build` has run. */
  readonly root: string;
  /** The path of Node.js's license. */
  readonly nodeLicense: string;
}

/** Collects the files of a program. */
export async function filesOf(
  program: Program,
  { root, nodeLicense }: SourcesOfFiles,
  signal: AbortSignal,
): Promise<ProgramFiles> {
  const manual = join(root, "dist", "man");
  const pages = readdirSync(manual, { recursive: true, encoding: "utf8" }).filter(
    (path) => basename(path).split(/[-.]/)[0] === program,
  );
  const completions = new Map<Shell, string>();
  for (const shell of program === "fluxctl" ? shells : []) {
    const starter = join(root, "dist", "lib", `start-${program}.cjs`);
    const args = [starter, "completion", shell];
    completions.set(shell, await runTool({ program: process.execPath, args }, signal));
  }
  return {
    manPages: new Map(pages.sort().map((path) => [path, readFileSync(join(manual, path), "utf8")])),
    completions,
    legal: new Map([
      ["LICENSE", readFileSync(join(root, "LICENSE"), "utf8")],
      ["NOTICE", readFileSync(join(root, "NOTICE"), "utf8")],
      ["LICENSE.node.txt", readFileSync(nodeLicense, "utf8")],
      [noticesFile, noticesOf(root, bundlesOf(program, join(root, "dist", "lib")).files)],
    ]),
  };
}

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { goEnvironment, ownTarget, pinnedGo } from "./go-release.ts";
import { keptBuild } from "./kept-build.ts";
import { sourceHash } from "./source-hash.ts";

const ownPrograms = join(import.meta.dirname, "..", "programs");

/** A program in a folder of programs, as its `program.json` describes it. */
interface GoProgram {
  /** The folder with its go.mod. */
  readonly source: string;
  /** The package with its `main` function. */
  readonly package: string;
  /** Values of variables that its own release sets, e.g. its version, by their full names. */
  readonly variables: Readonly<Record<string, string>>;
}

/** What a program is built for, by default this machine, and from what. */
export interface Target {
  /** As GOOS has it, e.g. "linux". */
  readonly system?: string;
  /** As GOARCH has it, e.g. "amd64". */
  readonly architecture?: string;
  /** The folder with a folder of the program's name; by default, that of this package. */
  readonly programs?: string;
  readonly signal?: AbortSignal;
}

/**
 * The path of a program that is built from Go's module proxy: static, of the version that
 * the go.mod in its folder pins, and with checksums in the go.sum beside it. The first call takes
 * minutes, later ones milliseconds: see `keptBuild`. The same sources give the same bytes on every machine.
 */
export async function goProgram(name: string, target: Target = {}): Promise<string> {
  const { system, architecture } = { ...ownTarget, ...target };
  const program = readProgram(name, target.programs);
  const { source } = program;
  const built = goEnvironment({ system, architecture }, {});
  const hash = programHash(built, [await sourceHash(source), ...buildArguments(program, name)]);
  const folder = await keptBuild({
    name: `program-${name}-${system}-${architecture}`,
    hash,
    fill: async (unfinished) => {
      process.stderr.write(`building ${name} for ${system}/${architecture}; this takes minutes\n`);
      const go = await pinnedGo({ system, architecture }, target.signal);
      await promisify(execFile)(go.program, buildArguments(program, join(unfinished, name)), {
        cwd: source,
        env: go.env,
        maxBuffer: 16 * 1024 * 1024,
        ...(target.signal === undefined ? {} : { signal: target.signal }),
      });
    },
    ...(target.signal === undefined ? {} : { signal: target.signal }),
  });
  return join(folder, name);
}

/** The description of a program. */
export function readProgram(name: string, programs = ownPrograms): GoProgram {
  const source = join(programs, name);
  const described = JSON.parse(readFileSync(join(source, "program.json"), "utf8")) as Omit<
    GoProgram,
    "source"
  >;
  return { ...described, source };
}

/** What tells builds of a program apart: another release of Go, other settings, or other sources give other bytes. */
export function programHash(environment: NodeJS.ProcessEnv, sources: readonly string[]): string {
  const settings = Object.entries(environment).toSorted();
  return createHash("sha256").update(JSON.stringify({ settings, sources })).digest("hex").slice(0, 16);
}

function buildArguments(program: GoProgram, output: string): readonly string[] {
  const variables = Object.entries(program.variables).map(([variable, value]) => `-X ${variable}=${value}`);
  const flags = ["-s", "-w", "-buildid=", ...variables];
  return ["build", "-ldflags", flags.join(" "), "-o", output, program.package];
}

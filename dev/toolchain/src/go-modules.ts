import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { readProgram } from "./go-program.ts";
import { type Go, type GoTarget, goRelease, pinnedGo } from "./go-release.ts";

/** A module of which a program contains code. */
export interface GoModule {
  /** Of Go's own library, "stdlib". */
  readonly path: string;
  readonly version: string;
  /** Where its sources are. */
  readonly folder: string;
  /** The folders of its packages that the program contains. */
  readonly packages: readonly string[];
}

/**
 * The folder in which Go keeps the sources of modules, with at least those that these programs are built from: they are
 * downloaded if they aren't there.
 */
export async function goModuleSources(
  names: readonly string[],
  target: GoTarget,
  signal?: AbortSignal,
): Promise<string> {
  const go = await pinnedGo(target, signal);
  for (const name of names) {
    await listPackages(go, name, signal);
  }
  return (await run(go, ["env", "GOMODCACHE"], { cwd: import.meta.dirname, signal })).trim();
}

/** The modules in a program, by path; their sources are downloaded if they aren't there. */
export async function goModulesOf(
  name: string,
  target: GoTarget,
  signal?: AbortSignal,
): Promise<readonly GoModule[]> {
  const go = await pinnedGo(target, signal);
  const goRoot = (await run(go, ["env", "GOROOT"], { cwd: import.meta.dirname, signal })).trim();
  const standard = { path: "stdlib", version: goRelease, folder: goRoot, packages: [goRoot] };
  const modules = new Map<string, GoModule>([[standard.path, standard]]);
  for (const line of (await listPackages(go, name, signal)).split("\n").filter((each) => each !== "")) {
    const [path = "", version = "", folder = "", ofPackage = ""] = line.split("\t");
    const packages = [...(modules.get(path)?.packages ?? []), ofPackage];
    modules.set(path, { path, version, folder, packages });
  }
  return [...modules.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** For each package, its module as build information names it, and its folder; nothing for those of Go's own library. */
const ofModule = "{{.Path}}\t{{.Version}}\t{{.Dir}}\t";
const format = `{{with .Module}}{{with .Replace}}${ofModule}{{else}}${ofModule}{{end}}{{end}}{{if .Module}}{{.Dir}}{{end}}`;

/** A line for each package in a program, as `format` says. */
function listPackages(go: Go, name: string, signal: AbortSignal | undefined): Promise<string> {
  const { source, package: main } = readProgram(name);
  return run(go, ["list", "-deps", "-f", format, main], { cwd: source, signal });
}

async function run(
  { program, env }: Go,
  args: readonly string[],
  { cwd, signal }: { readonly cwd: string; readonly signal: AbortSignal | undefined },
): Promise<string> {
  const options = { cwd, env, signal, maxBuffer: 64 * 1024 * 1024 };
  return (await promisify(execFile)(program, args, options)).stdout;
}

import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type CompiledCode, gather } from "./gather.ts";
import type { Library } from "./libraries.ts";
import { libraryManifest } from "./manifest.ts";
import type { Workspaces } from "./workspaces.ts";

/** Where things are. */
export interface StageOptions {
  readonly root: string;
  readonly workspaces: Workspaces;
  /** The code of the libraries, compiled. */
  readonly compiled: string;
  readonly version: string;
  /** Gets the files of the package. */
  readonly folder: string;
}

/** Writes what a library's package contains. */
export function stageLibrary(library: Library, options: StageOptions): void {
  const { root, workspaces, compiled, version, folder } = options;
  const code: CompiledCode = {
    read: (path) => readFileSync(join(compiled, path), "utf8"),
    sourceOf: (door) => workspaces.doors.get(door),
  };
  const gathered = gather([...Object.values(library.doors), ...library.threads], code);
  const manifest = libraryManifest(library, version, { gathered, ...workspaces });
  const put = (path: string, contents: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), contents);
  };
  gathered.files.forEach((contents, path) => put(path, contents));
  put("package.json", `${JSON.stringify(manifest, undefined, 2)}\n`);
  put("README.md", readFileSync(join(root, library.readme), "utf8"));
  for (const [from, to] of Object.entries(library.data)) {
    cpSync(join(root, from), join(folder, to), { recursive: true });
  }
  for (const file of ["LICENSE", "NOTICE"]) {
    put(file, readFileSync(join(root, file), "utf8"));
  }
}

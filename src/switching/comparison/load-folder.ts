import { type Environment, systemClock } from "@weir/base";
import type { ManifestSet } from "../../manifests/assemble.ts";
import { ConfigAwareFiles } from "../../manifests/config-aware-files.ts";
import { folderFiles } from "../../manifests/files/folder-files.ts";
import { splitPaths } from "../../manifests/generate/find-config.ts";
import { SecretValues } from "../../manifests/generate/secret-values.ts";
import { loadManifests } from "../../manifests/load.ts";
import type { ScopePort } from "../../manifests/scope.ts";

/** A folder with manifests, and how to read it. */
export interface FolderOptions {
  /** The root of the checkout, as an absolute path. Generators can write to it. */
  readonly root: string;
  readonly paths: readonly string[];
  readonly scopes: ScopePort;
  readonly quarantine: boolean;
  /** "run" runs the commands in .flux.yaml files, "skip" leaves out what they would print, "ignore" ignores the files. */
  readonly generators: "run" | "skip" | "ignore";
  readonly generation: GenerationOptions;
}

/** For generators, if they're run. */
export interface GenerationOptions {
  readonly env: Environment;
  /** The time limit for a command without its own, in milliseconds. */
  readonly timeout: number;
}

/** What a folder contains. */
export interface LoadedFolder extends ManifestSet {
  /** The .flux.yaml files whose manifests are missing, because generators weren't run. */
  readonly skipped: readonly string[];
}

/**
 * Loads the manifests of a folder as fluxd does. Rejects with ManifestError if a path doesn't exist, and without
 * quarantine also for the first problem of a file.
 */
export async function loadFolder(options: FolderOptions, signal: AbortSignal): Promise<LoadedFolder> {
  const { root, paths, scopes, quarantine, generators, generation } = options;
  const plain = { root, files: folderFiles(root), paths, scopes, quarantine };
  if (generators === "ignore") {
    return { ...(await loadManifests({ ...plain, signal })), skipped: [] };
  }
  const { raw, configured } = await splitPaths(root, paths);
  if (generators === "run" || configured.length === 0) {
    const { env, timeout } = generation;
    const settings = { environment: env, timeout, clock: systemClock, secrets: new SecretValues() };
    return { ...(await new ConfigAwareFiles({ ...plain, generation: settings }).load(signal)), skipped: [] };
  }
  const found = raw.length === 0 ? nothingLoaded : await loadManifests({ ...plain, paths: raw, signal });
  return { ...found, complete: false, skipped: [...new Set(configured.map(({ source }) => source))] };
}

/** An empty folder. */
export const nothingLoaded: LoadedFolder = {
  resources: new Map(),
  problems: [],
  heldBack: [],
  incompleteFiles: [],
  complete: true,
  unscoped: [],
  skipped: [],
};

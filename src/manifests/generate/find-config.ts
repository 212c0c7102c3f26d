import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { describeFileError, manifestLimits, quoteGo } from "@weir/base";
import { isInside } from "@weir/base/node";
import { decodeSource } from "@weir/yaml/go-yaml";
import { ManifestError } from "../errors.ts";
import { readFileInside, UnreadableFileError } from "../files/read-file.ts";
import type { ParsedFile } from "../parse.ts";
import { type ConfigFile, ConfigFileError, configFileName, parseConfigFile } from "./config-file.ts";

/** A .flux.yaml that configures how to get the manifests of a git path. */
export interface ConfigPlace extends ConfigSite {
  readonly config: Exclude<ConfigFile, { readonly kind: "scan" }>;
}

/** The location of a git path's .flux.yaml, and the folder that it applies to. */
interface ConfigSite {
  /** The root of the repository, as an absolute path. */
  readonly root: string;
  /** An absolute path. */
  readonly configPath: string;
  /** Where its commands run: the folder of the git path, as an absolute path. */
  readonly workingDir: string;
  /** The same, relative to the root of the repository; "." for the root itself. */
  readonly gitPath: string;
  /** The file relative to the working folder, as named in errors. */
  readonly file: string;
  /** The source of the manifests, such as "staging/../.flux.yaml". */
  readonly source: string;
}

/** The git paths of a repository, by how they provide manifests. */
export interface SplitPaths {
  /** Those whose files are the manifests, as configured. */
  readonly raw: readonly string[];
  readonly configured: readonly ConfigPlace[];
  /** .flux.yaml files that can't be parsed, as files without manifests. */
  readonly broken: readonly ParsedFile[];
  /** Set if a path doesn't exist or leads out of the repository; later paths weren't checked. */
  readonly failure: ManifestError | undefined;
}

/**
 * Finds the .flux.yaml of each git path: in its folder, then in each parent folder up to the root. The first one
 * counts.
 */
export async function splitPaths(root: string, paths: readonly string[]): Promise<SplitPaths> {
  const raw: string[] = [];
  const configured: ConfigPlace[] = [];
  const broken: ParsedFile[] = [];
  for (const path of paths.length === 0 ? ["."] : paths) {
    const found = await findConfigFile(resolve(root), path);
    if (found instanceof ManifestError) {
      return { raw, configured, broken, failure: found };
    }
    const config = found && (await readConfigFile(found));
    if (config instanceof ManifestError) {
      broken.push({ source: config.source, manifests: [], error: config });
    } else if (found === undefined || config === undefined || config.kind === "scan") {
      raw.push(path);
    } else {
      configured.push({ ...found, config });
    }
  }
  return { raw, configured, broken, failure: undefined };
}

/** Resolves to a ManifestError if the path doesn't exist or leads out of the repository. */
async function findConfigFile(root: string, path: string): Promise<ConfigSite | ManifestError | undefined> {
  const start = resolve(join(root, path));
  const isFolder = await lookAt(start, root);
  if (isFolder instanceof ManifestError) {
    return isFolder;
  }
  if (!isFolder) {
    return basename(start) === configFileName ? placeOf(root, start, dirname(start)) : undefined;
  }
  for (let folder = start; ; folder = dirname(folder)) {
    const configPath = join(folder, configFileName);
    if (await isThere(configPath)) {
      return placeOf(root, configPath, start);
    }
    if (folder === root) {
      return undefined;
    }
  }
}

function placeOf(root: string, configPath: string, workingDir: string): ConfigSite {
  const gitPath = relative(root, workingDir) || ".";
  const file = relative(workingDir, configPath);
  return { root, configPath, workingDir, gitPath, file, source: gitPath + sep + file };
}

/**
 * Whether a git path is a folder; an error if it doesn't exist, or isn't inside the root, with or without following
 * links.
 */
async function lookAt(start: string, root: string): Promise<boolean | ManifestError> {
  const path = relative(root, start) || ".";
  const failure = (reason: string, cause?: unknown): ManifestError =>
    new ManifestError(`error finding a config file starting at path ${quoteGo(path)}: ${reason}`, "", {
      cause,
    });
  const outside = `path ${quoteGo(start)} is outside of base directory ${root}`;
  if (!isInside(start, root)) {
    return failure(outside);
  }
  const stats = await stat(start).catch((error: unknown) =>
    failure(describeFileError("stat", start, error), error),
  );
  if (stats instanceof ManifestError) {
    return stats;
  }
  if (stats.isDirectory() && !isInside(await realpath(start), await realpath(root))) {
    return failure(outside);
  }
  return stats.isDirectory();
}

/** As in Flux v1, a broken link counts as missing. */
async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}

/** Returns the error of an invalid file instead of throwing it, because other files may be valid. */
async function readConfigFile({ root, configPath, source }: ConfigSite): Promise<ConfigFile | ManifestError> {
  try {
    const content = await readFileInside(await realpath(root), configPath, manifestLimits.configFile);
    return parseConfigFile(decodeSource(content));
  } catch (error) {
    if (error instanceof ConfigFileError) {
      return new ManifestError(`cannot parse config file: ${error.message}`, source, { cause: error });
    }
    if (error instanceof UnreadableFileError) {
      const message = `cannot parse config file: cannot read: ${error.message}`;
      return new ManifestError(message, source, { cause: error });
    }
    throw error;
  }
}

import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { describeFileError, manifestLimits, quoteGo } from "@weir/base";
import { decodeSource } from "@weir/yaml/go-yaml";
import { ManifestError } from "../errors.ts";
import { isInside } from "../files/inside.ts";
import { readFileInside, UnreadableFileError } from "../files/read-file.ts";
import type { ParsedFile } from "../parse.ts";
import { type ConfigFile, ConfigFileError, configFileName, parseConfigFile } from "./config-file.ts";

/** A .flux.yaml that says how the manifests of a git path are made. */
export interface ConfigPlace extends ConfigSite {
  readonly config: Exclude<ConfigFile, { readonly kind: "scan" }>;
}

/** Where the .flux.yaml of a git path stands, and where it works. */
interface ConfigSite {
  /** The root of the repository, absolute. */
  readonly root: string;
  /** Absolute. */
  readonly configPath: string;
  /** Where its commands are run: the folder of the git path, absolute. */
  readonly workingDir: string;
  /** The same, relative to the root of the repository; "." for the root itself. */
  readonly gitPath: string;
  /** The file as seen from the working folder; errors name it so. */
  readonly file: string;
  /** What the manifests have as their source, such as "staging/../.flux.yaml". */
  readonly source: string;
}

/** The git paths of a repository, by what makes manifests of them. */
export interface SplitPaths {
  /** Those whose files are manifests, as given. */
  readonly raw: readonly string[];
  readonly configured: readonly ConfigPlace[];
  /** .flux.yaml files that cannot be read, as files without manifests. */
  readonly broken: readonly ParsedFile[];
  /** A path is not there, or leads out of the repository; what comes after it was not looked at. */
  readonly failure: ManifestError | undefined;
}

/**
 * Looks for the .flux.yaml of each git path: in its folder, then in each folder above, up to the root; the first
 * one counts.
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

/** Resolves to a ManifestError where the path is not there, or leads out of the repository. */
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

/** Whether a git path is a folder; an error where it is not there, or not inside the root, links followed or not. */
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

/** As Flux v1: a link that leads nowhere is not there. */
async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}

/** What is wrong with a file is an answer too: others may be sound. */
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

import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { messageOf } from "../../base/errors.ts";
import { quoteGo } from "../../base/go-quote.ts";
import { ManifestError } from "../errors.ts";
import { describeFileError } from "../files/file-errors.ts";
import { isInside } from "../files/inside.ts";
import { readFileInside, UnreadableFileError } from "../files/read-file.ts";
import { decodeSource } from "../yaml/source-text.ts";
import { type ConfigFile, ConfigFileError, configFileName, parseConfigFile } from "./config-file.ts";

/** A .flux.yaml that says how the manifests of a git path are made. */
export interface ConfigPlace {
  readonly config: Exclude<ConfigFile, { readonly kind: "scan" }>;
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
}

/**
 * Looks for the .flux.yaml of each git path: in its folder, then in each folder above, up to the root; the first
 * one counts. Rejects with a ManifestError where a path is not there or leads out of the repository, or a
 * .flux.yaml cannot be read.
 */
export async function splitPaths(root: string, paths: readonly string[]): Promise<SplitPaths> {
  const raw: string[] = [];
  const configured: ConfigPlace[] = [];
  for (const path of paths.length === 0 ? ["."] : paths) {
    const place = await findPlace(resolve(root), path);
    if (place === undefined) {
      raw.push(path);
    } else {
      configured.push(place);
    }
  }
  return { raw, configured };
}

async function findPlace(root: string, path: string): Promise<ConfigPlace | undefined> {
  const found = await findConfigFile(root, path);
  if (found === undefined) {
    return undefined;
  }
  const { configPath, workingDir } = found;
  const gitPath = relative(root, workingDir) || ".";
  const file = relative(workingDir, configPath);
  const source = gitPath + sep + file;
  const config = await readConfigFile(await realpath(root), configPath, source);
  return config.kind === "scan" ? undefined : { config, root, configPath, workingDir, gitPath, file, source };
}

async function findConfigFile(
  root: string,
  path: string,
): Promise<Pick<ConfigPlace, "configPath" | "workingDir"> | undefined> {
  const start = resolve(join(root, path));
  if (!(await isFolder(start, path, root))) {
    const isConfigFile = basename(start) === configFileName;
    return isConfigFile ? { configPath: start, workingDir: dirname(start) } : undefined;
  }
  for (let folder = start; ; folder = dirname(folder)) {
    const configPath = join(folder, configFileName);
    if (await isThere(configPath)) {
      return { configPath, workingDir: start };
    }
    if (folder === root) {
      return undefined;
    }
  }
}

/** Whether a git path is a folder; fails where it is not there, or not inside the root, links followed or not. */
async function isFolder(start: string, path: string, root: string): Promise<boolean> {
  const failure = (reason: string, cause?: unknown): ManifestError =>
    new ManifestError(`error finding a config file starting at path ${quoteGo(path)}: ${reason}`, "", {
      cause,
    });
  const outside = `path ${quoteGo(start)} is outside of base directory ${root}`;
  if (!isInside(start, root)) {
    throw failure(outside);
  }
  const stats = await stat(start).catch((error: unknown) => {
    throw failure(describeFileError("stat", start, error), error);
  });
  if (stats.isDirectory() && !isInside(await realpath(start), await realpath(root))) {
    throw failure(outside);
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

async function readConfigFile(realRoot: string, path: string, source: string): Promise<ConfigFile> {
  try {
    return parseConfigFile(decodeSource(await readFileInside(realRoot, path)));
  } catch (error) {
    if (error instanceof ConfigFileError) {
      throw new ManifestError(`cannot parse config file: ${error.message}`, source, { cause: error });
    }
    if (error instanceof UnreadableFileError) {
      throw new ManifestError(`cannot parse config file: cannot read: ${messageOf(error)}`, source, {
        cause: error,
      });
    }
    throw error;
  }
}

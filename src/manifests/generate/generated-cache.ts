import { createHash } from "node:crypto";
import type { ParsedFile } from "../parse.ts";
import type { ConfigPlace } from "./find-config.ts";

/** A file of a commit: the same ID means the same content, and the mode shows whether it's executable. */
export interface CommittedFile {
  readonly path: string;
  readonly mode: string;
  readonly id: string;
}

/**
 * The output of generators for commits. They don't run again as long as their commands, and the commit's files below
 * their git path, stay the same. Keeps the output that the last two loads used.
 */
export class GeneratedCache {
  #before: ReadonlyMap<string, ParsedFile> = new Map();
  #now = new Map<string, ParsedFile>();

  /** Starts a load: drops what only the load before last used. */
  begin(): void {
    this.#before = this.#now;
    this.#now = new Map();
  }

  /** The output for this key. If it isn't stored, `make` generates it, and it's stored unless it can't be parsed. */
  async get(key: string, make: () => Promise<ParsedFile>): Promise<ParsedFile> {
    const made = this.#now.get(key) ?? this.#before.get(key) ?? (await make());
    if (made.error === undefined) {
      this.#now.set(key, made);
    }
    return made;
  }
}

/** The cache key for the generators of a git path in a commit; valid if they read nothing else. */
export function generationKey(
  { config, gitPath, source }: ConfigPlace,
  commit: readonly CommittedFile[],
): string {
  const hash = createHash("sha256").update(JSON.stringify([source, config.generators]));
  for (const { path, mode, id } of commit) {
    if (gitPath === "." || path.startsWith(`${gitPath}/`)) {
      hash.update(`\0${mode} ${id} ${path}`);
    }
  }
  return hash.digest("hex");
}

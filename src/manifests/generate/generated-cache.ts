import { createHash } from "node:crypto";
import type { ParsedFile } from "../parse.ts";
import type { ConfigPlace } from "./find-config.ts";

/** A file of a commit: the same id is the same content, and the mode says whether it is a program. */
export interface CommittedFile {
  readonly path: string;
  readonly mode: string;
  readonly id: string;
}

/**
 * What generators printed for commits, so that they are not run again as long as their commands, and what the
 * commit has below their git path, stay the same. Keeps what the last two loads used.
 */
export class GeneratedCache {
  #before: ReadonlyMap<string, ParsedFile> = new Map();
  #now = new Map<string, ParsedFile>();

  /** Begins a load: what the load before last used is forgotten. */
  begin(): void {
    this.#before = this.#now;
    this.#now = new Map();
  }

  /** What was printed under this key; it is made, and kept unless it cannot be read, where there is nothing. */
  async get(key: string, make: () => Promise<ParsedFile>): Promise<ParsedFile> {
    const made = this.#now.get(key) ?? this.#before.get(key) ?? (await make());
    if (made.error === undefined) {
      this.#now.set(key, made);
    }
    return made;
  }
}

/** Tells what the generators of a git path print for a commit, if they look at nothing else. */
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

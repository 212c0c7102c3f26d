/**
 * Does what `git secret reveal -f` does, in the process: takes a work tree, writes each hidden file beside its encrypted
 * form, and returns what was written.
 */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, readFile, realpath, rm, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { type gitSecretLimits, isMissing } from "@weir/base";
import { DecryptionError, GitSecretError } from "./errors.ts";
import { parseMapping } from "./mapping.ts";
import { type Purpose, placeInside } from "./repository-files.ts";
import type { GitSecretSettings } from "./settings.ts";
import { checkSetup } from "./setup.ts";

/** Decrypts an OpenPGP message. Rejects with DecryptionError. */
export type Decrypt = (message: Uint8Array, signal: AbortSignal) => Promise<Uint8Array>;

/** How much can be revealed, in bytes except for the number of files. */
export type RevealLimits = Readonly<Record<keyof typeof gitSecretLimits, number>>;

/** What to reveal, and how. */
export interface RevealOptions {
  /** The root of the work tree, as an absolute path. Nobody else changes anything in it. */
  readonly root: string;
  readonly settings: GitSecretSettings;
  readonly decrypt: Decrypt;
  readonly limits: RevealLimits;
}

/** A file that was revealed. */
export interface RevealedFile {
  /** Relative to the root; if the name in the mapping is a link, the file that it leads to. */
  readonly path: string;
  /** As in git: 100644, or 100755 for an executable. */
  readonly mode: string;
  /** Git's ID for its content. */
  readonly id: string;
}

/**
 * Writes all hidden files of a work tree, in place of existing ones. Rejects with GitSecretError at the first one that
 * can't be revealed; the ones before it are then in the work tree.
 */
export async function reveal(options: RevealOptions, signal: AbortSignal): Promise<readonly RevealedFile[]> {
  const root = await realpath(options.root);
  const folder = join(root, options.settings.folder);
  await checkSetup(folder);
  const files = new HiddenFiles({ ...options, root });
  const revealed = new Map<string, RevealedFile>();
  for (const name of await files.names(folder)) {
    signal.throwIfAborted();
    const file = await files.reveal(name, signal);
    revealed.set(file.path, file);
  }
  return [...revealed.values()];
}

/** The hidden files of one work tree, whose root has no links. */
class HiddenFiles {
  readonly #options: RevealOptions;
  #revealed = 0;

  constructor(options: RevealOptions) {
    this.#options = options;
  }

  /** The names in the mapping. */
  async names(folder: string): Promise<readonly string[]> {
    const { root, limits, settings } = this.#options;
    const path = join(folder, "paths", "mapping.cfg");
    const purpose = { name: join(settings.folder, "paths", "mapping.cfg"), doing: "read" } as const;
    const place = await placeInside(root, path, purpose);
    const size = await sizeOf(place);
    if (size === undefined) {
      throw new GitSecretError(`git-secret: abort: cannot open ${path}: No such file or directory`);
    }
    requireAtMost(size, limits.mapping, `the list of hidden files ${path}`);
    const names = parseMapping(await readFile(place, "utf8"));
    requireAtMost(names.length, limits.files, "the number of hidden files");
    return names;
  }

  async reveal(name: string, signal: AbortSignal): Promise<RevealedFile> {
    const { root, settings } = this.#options;
    if (name.endsWith(settings.extension)) {
      throw new GitSecretError(`git-secret: abort: cannot decrypt to secret version of file: ${name}`);
    }
    const path = `${root}/${name}`;
    const message = await this.#readEncrypted(name, path);
    const content = await this.#decrypt(message, path, signal);
    return await this.#write(name, path, content);
  }

  async #readEncrypted(name: string, path: string): Promise<Buffer> {
    const { root, settings, limits } = this.#options;
    const encrypted = path.replace(/\/+$/, "") + settings.extension;
    if (encrypted === root + settings.extension) {
      throw notFound(encrypted);
    }
    const place = await placeInside(root, encrypted, { name: name + settings.extension, doing: "read" });
    const size = await sizeOf(place);
    if (size === undefined) {
      throw notFound(encrypted);
    }
    requireAtMost(size, limits.encrypted, `the encrypted file ${encrypted}`);
    return await readFile(place);
  }

  async #decrypt(message: Buffer, path: string, signal: AbortSignal): Promise<Uint8Array> {
    const { decrypt, limits } = this.#options;
    const content = await decrypt(message, signal).catch((error: unknown) => {
      throw error instanceof DecryptionError ? undecryptable(error, message, path) : error;
    });
    this.#revealed += content.length;
    requireAtMost(this.#revealed, limits.revealed, "the size of all revealed files");
    return content;
  }

  /** An existing file keeps its mode, and a new one gets the usual one. */
  async #write(name: string, path: string, content: Uint8Array): Promise<RevealedFile> {
    const { root } = this.#options;
    const purpose: Purpose = { name, doing: "write" };
    const place = await placeInside(root, path, purpose);
    const mode = await modeOf(place, path);
    await rm(place, { force: true });
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    await using file = await open(place, flags, 0o666);
    if (mode !== undefined) {
      await file.chmod(mode);
    }
    await file.writeFile(content);
    const isExecutable = ((await file.stat()).mode & 0o100) !== 0;
    return {
      path: relative(root, place),
      mode: isExecutable ? "100755" : "100644",
      id: createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex"),
    };
  }
}

/** Undefined if there's no such file. */
async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const found = await stat(path);
    return found.isFile() ? found.size : undefined;
  } catch (error) {
    if (isMissing(error)) {
      return undefined;
    }
    throw error;
  }
}

/** The mode of the file that's in the place; undefined if there's none. */
async function modeOf(place: string, path: string): Promise<number | undefined> {
  try {
    const found = await lstat(place);
    if (!found.isFile()) {
      const reason = "Is a directory";
      throw failedAt(path, [
        `gpg: error creating '${path}': ${reason}`,
        `gpg: handle plaintext failed: ${reason}`,
      ]);
    }
    return found.mode & 0o7777;
  } catch (error) {
    if (isMissing(error)) {
      return undefined;
    }
    throw error;
  }
}

function undecryptable(error: DecryptionError, message: Uint8Array, path: string): GitSecretError {
  switch (error.failure) {
    case "no-key":
      return failedAt(path, ["gpg: decryption failed: No secret key"], error);
    case "modified":
      return failedAt(path, ["gpg: WARNING: encrypted message has been manipulated!"], error);
    case "malformed": {
      const lines = [
        "gpg: no valid OpenPGP data found.",
        "gpg: decrypt_message failed: Unknown system error",
      ];
      return failedAt(path, message.length === 0 ? lines.slice(1) : lines, error);
    }
    case "other":
      return failedAt(path, [`gpg: decryption failed: ${error.message}`], error);
  }
}

function notFound(encrypted: string): GitSecretError {
  return new GitSecretError(`git-secret: abort: cannot find file to decrypt: ${encrypted}`);
}

function failedAt(path: string, lines: readonly string[], cause?: Error): GitSecretError {
  const last = `git-secret: abort: problem decrypting file with gpg: exit code 2: ${path}`;
  return new GitSecretError([...lines, last].join("\n"), { cause });
}

function requireAtMost(count: number, most: number, what: string): void {
  if (count > most) {
    throw new GitSecretError(
      `git-secret: abort: ${what} exceeds the limit: ${count}, and the limit is ${most}`,
    );
  }
}

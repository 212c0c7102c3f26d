/**
 * A file with allowed SSH signers that can change, such as one from a ConfigMap. git gives ssh-keygen a private copy, so
 * that a verdict belongs to the content that was read.
 */
import { createHash } from "node:crypto";
import { access, mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errorCode, isMissing, type Logger, Mutex, messageOf } from "@weir/base";
import { ExecError, exec } from "@weir/base/node";
import type { AllowedSigners, SignersFile } from "../../src/git/signature.ts";
import { type LineMessage, parseLineMessage } from "../../src/git/ssh-verdicts.ts";

/** Room for thousands of keys and certificates; a larger file is something else. */
const maxBytes = 4 * 1024 * 1024;

/** How long ssh-keygen can take to read the file, in milliseconds. */
const timeLimit = 30_000;

/**
 * A signature by a key that nobody has. When ssh-keygen looks for its principals, it reads the whole file and complains
 * of all mistakes.
 */
const strange = `-----BEGIN SSH SIGNATURE-----
U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgogfymHlRkaaLqW7Z1RDjddjwXx
7wt12O6pn7XXJpNI0AAAADZ2l0AAAAAAAAAAZzaGE1MTIAAABTAAAAC3NzaC1lZDI1NTE5
AAAAQL2dBKbqNSpoI30M40rMtQ8/ZMGWU1VvnPJPx+Kp2UWq3GaJZvK9UVYk8JXb4PAVQ1
VdHubEwEdICYZ6UG0e4g0=
-----END SSH SIGNATURE-----
`;

/**
 * Runs ssh-keygen for git. If ssh-keygen refuses a signature before it has read what was signed, this reads the rest:
 * otherwise, git 2.39 dies of SIGPIPE, without a verdict on any commit.
 */
const starter = `#!/bin/sh
ssh-keygen "$@" && exit
status=$?
cat > /dev/null
exit $status
`;

/** A file with allowed signers can't be used. The message names the file and what to do. */
export class AllowedSignersError extends Error {
  override readonly name = "AllowedSignersError";
  readonly file: string;

  constructor(file: string, reason: string, options?: ErrorOptions) {
    super(`allowed signers file ${file}: ${reason}`, options);
    this.file = file;
  }
}

/** Where the file is, and where its copies go. */
export interface AllowedSignersOptions {
  readonly path: string;
  /** An empty folder that nobody else writes to. */
  readonly folder: string;
  readonly logger: Logger;
}

/** git reads such a file for each signature; the caller of this class decides when to read it again. */
export class AllowedSignersFile implements AllowedSigners {
  readonly #options: AllowedSignersOptions;
  readonly #reading = new Mutex();
  readonly #copies = new Map<string, SignersFile>();

  constructor(options: AllowedSignersOptions) {
    this.#options = options;
  }

  /**
   * What the file says now; logs lines with mistakes when they're new. Rejects with AllowedSignersError, or when
   * aborted.
   */
  read(signal: AbortSignal): Promise<SignersFile> {
    return this.#reading.run(() => this.#read(signal), signal);
  }

  async #read(signal: AbortSignal): Promise<SignersFile> {
    const { path, logger } = this.#options;
    const bytes = await readBytes(path, signal);
    const digest = createHash("sha256").update(bytes).digest("hex");
    const known = this.#copies.get(digest);
    if (known !== undefined && (await isThere(known.path)) && (await isThere(known.program))) {
      return known;
    }
    const copy = await this.#write(digest, bytes, signal);
    const program = await this.#write("ssh-keygen", starter, signal);
    await this.#write("signature", strange, signal);
    const mistakes = await this.#mistakesIn(copy, signal);
    if (mistakes.length > 0) {
      const lines = mistakes.map(({ line, message }) => `line ${line}: ${message}`).join("; ");
      logger.log({ warning: `ignoring lines of ${path} with mistakes`, err: lines });
    }
    const file = { path: copy, program, digest, faulty: new Set(mistakes.map(({ line }) => line)) };
    this.#copies.set(digest, file);
    return file;
  }

  /** Replaces a file as a whole, because git may be reading it. It's missing after something cleaned up, such as tmpfiles.d. */
  async #write(name: string, content: string | Buffer, signal: AbortSignal): Promise<string> {
    const { folder } = this.#options;
    const path = join(folder, name);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(`${path}.new`, content, { mode: 0o700, signal });
    await rename(`${path}.new`, path);
    return path;
  }

  /** What ssh-keygen says about the lines that have no effect. As with git, the others stay in effect. */
  async #mistakesIn(copy: string, signal: AbortSignal): Promise<readonly LineMessage[]> {
    const { path, folder } = this.#options;
    const args = ["-Y", "find-principals", "-f", copy, "-s", join(folder, "signature")];
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeLimit)]);
    try {
      await exec("ssh-keygen", args, limit);
    } catch (error) {
      signal.throwIfAborted();
      const lines = error instanceof ExecError ? error.stderr.split(/\r?\n/) : [];
      if (!lines.includes("No principal matched.")) {
        throw new AllowedSignersError(path, unreadableBecause(error), { cause: error });
      }
      return lines.flatMap((line) => parseLineMessage(line, copy) ?? []);
    }
    throw new AllowedSignersError(path, "ssh-keygen accepts any key with it; is it another program?");
  }
}

async function isThere(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

async function readBytes(path: string, signal: AbortSignal): Promise<Buffer> {
  try {
    const stats = await stat(path);
    if (!stats.isFile() || stats.size > maxBytes) {
      throw new AllowedSignersError(path, `it isn't a file of at most ${maxBytes} bytes; correct its path`);
    }
    return await readFile(path, { signal });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AllowedSignersError) {
      throw error;
    }
    throw new AllowedSignersError(path, reasonOf(error), { cause: error });
  }
}

function reasonOf(error: unknown): string {
  if (isMissing(error)) {
    return "it doesn't exist; mount it, or correct its path";
  }
  return errorCode(error) === "EACCES"
    ? "it can't be read; let this process's user read it"
    : messageOf(error);
}

function unreadableBecause(error: unknown): string {
  if (error instanceof ExecError && isMissing(error.cause)) {
    return "ssh-keygen isn't installed, which verifies SSH signatures; install openssh-client 8.2p1 or later";
  }
  return `it can't be checked: ${messageOf(error)}`;
}

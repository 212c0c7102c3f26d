import { readFile, stat } from "node:fs/promises";
import { errorCode, isMissing, messageOf } from "@weir/base";
import { type AllowedSigners, parseAllowedSigners } from "./allowed-signers.ts";
import { AllowedSignersError } from "./errors.ts";

/** Room for thousands of keys and certificates; a larger file is something else. */
const maxBytes = 4 * 1024 * 1024;

/**
 * A file with allowed signers that can change, such as one from a ConfigMap. git reads it for each signature; the caller
 * of this class decides when to read it again.
 */
export class AllowedSignersFile {
  readonly path: string;
  #last: { readonly bytes: Buffer; readonly content: AllowedSigners } | undefined;

  constructor(path: string) {
    this.path = path;
  }

  /**
   * What the file says now: the same value as before if it hasn't changed. Rejects with AllowedSignersError, or when
   * aborted.
   */
  async read(signal: AbortSignal): Promise<AllowedSigners> {
    const bytes = await this.#readBytes(signal);
    if (this.#last?.bytes.equals(bytes) !== true) {
      this.#last = { bytes, content: parseAllowedSigners(bytes) };
    }
    return this.#last.content;
  }

  async #readBytes(signal: AbortSignal): Promise<Buffer> {
    try {
      const stats = await stat(this.path);
      if (!stats.isFile() || stats.size > maxBytes) {
        throw new AllowedSignersError(
          this.path,
          `it isn't a file of at most ${maxBytes} bytes; correct its path`,
        );
      }
      return await readFile(this.path, { signal });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof AllowedSignersError) {
        throw error;
      }
      throw new AllowedSignersError(this.path, reasonOf(error), { cause: error });
    }
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

import { readFile, stat } from "node:fs/promises";
import { type AllowedSigners, parseAllowedSigners } from "./allowed-signers.ts";
import { AllowedSignersError } from "./errors.ts";

/** Room for thousands of keys and certificates; a larger file is something else. */
const maxBytes = 4 * 1024 * 1024;

/**
 * A file with allowed signers that can change, such as one from a ConfigMap. git reads it for each signature; a caller of
 * this class decides when to read it again.
 */
export class AllowedSignersFile {
  readonly path: string;
  #read: { readonly bytes: Buffer; readonly signers: AllowedSigners } | undefined;

  constructor(path: string) {
    this.path = path;
  }

  /**
   * What the file says now: the same value as before if it hasn't changed. Rejects with AllowedSignersError, or when
   * aborted.
   */
  async read(signal: AbortSignal): Promise<AllowedSigners> {
    const bytes = await this.#readBytes(signal);
    if (this.#read?.bytes.equals(bytes) !== true) {
      this.#read = { bytes, signers: parseAllowedSigners(bytes) };
    }
    return this.#read.signers;
  }

  async #readBytes(signal: AbortSignal): Promise<Buffer> {
    try {
      const { size } = await stat(this.path);
      if (size > maxBytes) {
        throw new AllowedSignersError(this.path, `it's larger than ${maxBytes} bytes; is it another file?`);
      }
      return await readFile(this.path, { signal });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof AllowedSignersError) {
        throw error;
      }
      const reason = error instanceof Error ? error.message : String(error);
      throw new AllowedSignersError(this.path, `${reason}; mount it, or correct its path`, { cause: error });
    }
  }
}

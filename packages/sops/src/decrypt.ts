/**
 * Takes an encrypted file and services that decrypt data keys, and returns the file as it was before sops encrypted it,
 * byte for byte as sops returns it.
 */

import { setImmediate } from "node:timers/promises";
import { isSameSecret } from "@weir/base";
import type { Steps } from "@weir/yaml/go-yaml";
import { recoverDataKey } from "./data-key.ts";
import { decryptTree } from "./decrypt-tree.ts";
import { decryptValue } from "./encrypted-value.ts";
import { IntegrityError, MalformedFileError, ValueError } from "./errors.ts";
import { codecs, type Format } from "./formats/format.ts";
import type { KeyService } from "./key-service.ts";
import { sopsLimits } from "./limits.ts";
import { type Metadata, readMetadata } from "./metadata.ts";

/** An encrypted file, and how to decrypt it. */
export interface DecryptRequest {
  readonly bytes: Uint8Array;
  readonly format: Format;
  /** Decrypts the data key of the file. */
  readonly keys: KeyService;
}

/**
 * Decrypts a file and verifies its MAC. Rejects with MetadataNotFoundError if the file isn't encrypted, with
 * DataKeyError if too few keys can decrypt its data key, with IntegrityError if it was changed without sops, and with
 * another SopsError if sops could not read it either. Lets other work run in between.
 */
export async function decrypt(
  { bytes, format, keys }: DecryptRequest,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (bytes.length > sopsLimits.file) {
    throw new MalformedFileError(`the file is larger than ${sopsLimits.file} bytes`);
  }
  const { read, write } = codecs[format];
  const tree = await inTurns(read(bytes), signal);
  const metadata = readMetadata(tree.metadata);
  const key = await recoverDataKey(metadata, keys, signal);
  try {
    const { branches, mac } = await inTurns(decryptTree(tree, metadata, key), signal);
    checkMac(metadata, key, mac);
    return write(branches);
  } finally {
    key.fill(0);
  }
}

/** Throws IntegrityError without the MACs: one could confirm a guess of a short value. */
function checkMac({ mac, lastModified }: Metadata, key: Uint8Array, actual: string): void {
  const expected = decryptedMac(mac, key, lastModified);
  if (expected === "" || !isSameSecret(expected, actual)) {
    throw new IntegrityError(
      "Failed to verify data integrity. The content doesn't match its MAC: it was changed without sops",
    );
  }
}

function decryptedMac(mac: string, key: Uint8Array, lastModified: string): string {
  try {
    const value = decryptValue(mac, key, lastModified);
    return typeof value === "string" ? value : "";
  } catch (error) {
    if (error instanceof ValueError) {
      throw new IntegrityError("Failed to verify data integrity. The MAC itself can't be decrypted", {
        cause: error,
      });
    }
    throw error;
  }
}

async function inTurns<T>(steps: Steps<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) {
      return step.value;
    }
    await setImmediate(undefined, { signal });
  }
}

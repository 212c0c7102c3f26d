import { type MasterKey, masterKeyName } from "./master-key.ts";

/** A file that sops could not decrypt either. Messages contain no value of the file, not even an encrypted one. */
export class SopsError extends Error {
  override readonly name: string = "SopsError";
}

/** The file isn't encrypted: it has no sops metadata. */
export class MetadataNotFoundError extends SopsError {
  override readonly name = "MetadataNotFoundError";

  constructor() {
    super("sops metadata not found");
  }
}

/** The file isn't in its format, or its sops metadata is incomplete. */
export class MalformedFileError extends SopsError {
  override readonly name = "MalformedFileError";
}

/** The content doesn't belong to its MAC: someone changed the file without sops. */
export class IntegrityError extends SopsError {
  override readonly name = "IntegrityError";
}

/** A value can't be decrypted with the data key. */
export class ValueError extends SopsError {
  override readonly name = "ValueError";
}

/** A master key that could not decrypt its share of the data key, and why. */
export interface KeyFailure {
  readonly key: MasterKey;
  readonly reason: string;
}

/** Too few master keys could decrypt their shares of the data key. */
export class DataKeyError extends SopsError {
  override readonly name = "DataKeyError";
  readonly failures: readonly KeyFailure[];

  constructor(required: number, successful: number, failures: readonly KeyFailure[]) {
    const reasons = failures.map(({ key, reason }) => `${masterKeyName(key)}: ${reason}`);
    const details = reasons.length === 0 ? "" : ` (${reasons.join("; ")})`;
    super(`Error getting data key: ${required} successful groups required, got ${successful}${details}`);
    this.failures = failures;
  }
}

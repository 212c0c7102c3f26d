import type { Clock } from "@weir/base";
import { DecryptionError, KeyImportError, SigningKeyError } from "./errors.ts";
import type { Signer } from "./signer.ts";
import type { SignedData, Verdict } from "./verdict.ts";

/** A key that an import has found. */
export interface ImportedKey {
  /** Of the primary key, in upper case. */
  readonly fingerprint: string;
  readonly userIds: readonly string[];
  /** True if the import contained secret parts of the key. */
  readonly secret: boolean;
}

/** How to import keys. */
export interface ImportOptions {
  /** Trusts the keys like one's own (gpg's "ultimate"), so that their good signatures get the verdict `G`. */
  readonly trusted?: boolean;
}

/** Keys in memory, which verify, sign, and decrypt as GnuPG would. */
export class Keyring {
  readonly #clock: Clock | undefined;

  constructor({ clock }: { readonly clock?: Clock } = {}) {
    this.#clock = clock;
  }

  /**
   * Adds public and secret keys, armored or binary, and merges them with those that are already there.
   * @throws KeyImportError if there is no key that can be used.
   */
  import(_keys: Uint8Array, _options: ImportOptions = {}): Promise<readonly ImportedKey[]> {
    return Promise.reject(new KeyImportError(`not yet at ${this.#clock?.now() ?? 0}`));
  }

  /** Verifies a detached signature. Never throws because of the signature: what is wrong is the verdict. */
  verify(_signed: SignedData): Promise<Verdict> {
    return Promise.resolve({ status: "E", key: "", reason: "the key isn't in the keyring" });
  }

  /**
   * Finds the secret key that `gpg --local-user` would: by fingerprint, key ID, or user ID.
   * @throws SigningKeyError if there is none.
   */
  signer(userOrKeyId: string): Promise<Signer> {
    return Promise.reject(new SigningKeyError(`skipped "${userOrKeyId}": No secret key`));
  }

  /**
   * Decrypts a message, armored or binary.
   * @throws DecryptionError if no key of the keyring can.
   */
  decrypt(_message: Uint8Array): Promise<Uint8Array> {
    return Promise.reject(new DecryptionError("no key of the keyring can decrypt the message"));
  }
}

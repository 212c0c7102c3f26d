import { type Clock, systemClock } from "@weir/base";
import type { ImportedKey } from "./imported-key.ts";
import type { KeyStore } from "./key-store.ts";
import type { Signer } from "./signer.ts";
import type { SignedData, Verdict } from "./verdict.ts";

/** How to import keys. */
export interface ImportOptions {
  /** Trusts the keys like one's own (gpg's "ultimate"), so that their good signatures get the verdict `G`. */
  readonly trusted?: boolean;
}

/** Keys in memory, which verify, sign, and decrypt as GnuPG would. */
export class Keyring {
  readonly #clock: Pick<Clock, "now">;
  /** Loaded on first use: openpgp.js is large. */
  #loading: Promise<KeyStore> | undefined;
  #store: KeyStore | undefined;

  constructor({ clock = systemClock }: { readonly clock?: Pick<Clock, "now"> } = {}) {
    this.#clock = clock;
  }

  /**
   * Adds public and secret keys, and revocation certificates, armored or binary. What belongs to a key that is
   * already there is merged with it.
   * @throws KeyImportError if there is nothing to import, or if something could not be imported. What could be is in
   * the keyring nevertheless.
   */
  async import(keys: Uint8Array, { trusted = false }: ImportOptions = {}): Promise<readonly ImportedKey[]> {
    return (await this.#load()).import(keys, trusted);
  }

  /**
   * Adds the keys of a GnuPG home, such as `~/.gnupg`, and trusts those that are trusted ultimately there. Secret keys
   * with a passphrase stay closed.
   * @throws KeyImportError if something could not be read. What could be is in the keyring nevertheless.
   */
  async importHome(folder: string): Promise<readonly ImportedKey[]> {
    return (await this.#load()).importHome(folder);
  }

  /** Trusts all keys of the keyring like one's own (gpg's "ultimate"). */
  trustAll(): void {
    this.#store?.trustAll();
  }

  /** Verifies a detached signature. Never throws because of the signature: what is wrong is the verdict. */
  async verify(signed: SignedData): Promise<Verdict> {
    return (await this.#load()).verify(signed);
  }

  /**
   * Finds the secret key that `gpg --local-user` would: by fingerprint, key ID, or user ID.
   * @throws SigningKeyError if there is none.
   */
  async signer(userOrKeyId: string): Promise<Signer> {
    return (await this.#load()).signer(userOrKeyId);
  }

  /**
   * Decrypts a message, armored or binary.
   * @throws DecryptionError if no key of the keyring can.
   */
  async decrypt(message: Uint8Array): Promise<Uint8Array> {
    return (await this.#load()).decrypt(message);
  }

  #load(): Promise<KeyStore> {
    this.#loading ??= this.#create();
    return this.#loading;
  }

  async #create(): Promise<KeyStore> {
    const { KeyStore } = await import("./key-store.ts");
    this.#store = new KeyStore(this.#clock);
    return this.#store;
  }
}

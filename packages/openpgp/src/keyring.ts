import { type Clock, systemClock } from "@weir/base";
import { KeyImportError } from "./errors.ts";
import { findSigningKey } from "./find-signing-key.ts";
import type { ImportedKey } from "./imported-key.ts";
import { type KeyBlock, mergeBlocks, partsOf, textOf } from "./key-block.ts";
import { type BlockState, judge } from "./key-state.ts";
import type { PublicKey } from "./public-key.ts";
import { readKeyFile } from "./read-keys.ts";
import { createSigner } from "./sign.ts";
import type { Signature } from "./signature.ts";
import type { Signer } from "./signer.ts";
import { tidy } from "./tidy.ts";
import type { SignedData, Verdict } from "./verdict.ts";
import { decideVerdict, type Issuer } from "./verify.ts";

/** How to import keys. */
export interface ImportOptions {
  /** Trusts the keys like one's own (gpg's "ultimate"), so that their good signatures get the verdict `G`. */
  readonly trusted?: boolean;
}

interface Judged {
  readonly at: number;
  readonly state: BlockState;
}

/** Keys in memory, which verify, sign, and decrypt as GnuPG would. */
export class Keyring {
  readonly #clock: Pick<Clock, "now">;
  /** By fingerprint, in the order in which they came. */
  readonly #blocks = new Map<string, KeyBlock>();
  readonly #trusted = new Set<string>();
  /** Key IDs of secret keys and subkeys that only a passphrase could open. */
  readonly #protected = new Set<string>();
  /** The fingerprint of the key to which a part belongs, by the part's fingerprint and by its key ID. */
  readonly #owners = new Map<string, string>();
  readonly #judged = new Map<string, Judged>();

  constructor({ clock = systemClock }: { readonly clock?: Pick<Clock, "now"> } = {}) {
    this.#clock = clock;
  }

  /**
   * Adds public and secret keys, and revocation certificates, armored or binary. What belongs to a key that is
   * already there is merged with it.
   * @throws KeyImportError if there is nothing to import, or if something could not be imported. What could be is in
   * the keyring nevertheless.
   */
  import(keys: Uint8Array, { trusted = false }: ImportOptions = {}): Promise<readonly ImportedKey[]> {
    return new Promise((resolve) => resolve(this.#import(keys, trusted)));
  }

  /**
   * Adds the keys of a GnuPG home, such as `~/.gnupg`, and trusts those that are trusted ultimately there. Secret keys
   * with a passphrase stay closed.
   * @throws KeyImportError if something could not be read. What could be is in the keyring nevertheless.
   */
  async importHome(folder: string): Promise<readonly ImportedKey[]> {
    const { readGnupgHome } = await import("./gnupg-home/read-home.ts");
    const home = await readGnupgHome(folder);
    const problems = [...home.problems];
    const imported: ImportedKey[] = [];
    for (const keys of home.keys) {
      try {
        imported.push(...this.#import(keys, false));
      } catch (error) {
        if (!(error instanceof KeyImportError)) {
          throw error;
        }
        problems.push(error.message);
        imported.push(...error.imported);
      }
    }
    home.protectedKeys.forEach(({ keyId }) => this.#protected.add(keyId));
    home.trusted.filter((each) => this.#blocks.has(each)).forEach((each) => this.#trusted.add(each));
    if (problems.length > 0) {
      throw new KeyImportError(problems, imported);
    }
    return imported;
  }

  /** Trusts all keys of the keyring like one's own (gpg's "ultimate"). */
  trustAll(): void {
    for (const fingerprint of this.#blocks.keys()) {
      this.#trusted.add(fingerprint);
    }
  }

  /** Verifies a detached signature. Never throws because of the signature: what is wrong is the verdict. */
  verify(signed: SignedData): Promise<Verdict> {
    const context = {
      now: this.#now(),
      findIssuer: (signature: Signature) => this.#findIssuer(signature),
    };
    return new Promise((resolve) => resolve(decideVerdict(signed, context)));
  }

  /**
   * Finds the secret key that `gpg --local-user` would: by fingerprint, key ID, or user ID.
   * @throws SigningKeyError if there is none.
   */
  signer(userOrKeyId: string): Promise<Signer> {
    return new Promise((resolve) => resolve(this.#signer(userOrKeyId)));
  }

  /**
   * Decrypts a message, armored or binary.
   * @throws DecryptionError if no key of the keyring can.
   */
  async decrypt(message: Uint8Array): Promise<Uint8Array> {
    const { decryptMessage } = await import("./decrypt.ts");
    const parts = [...this.#blocks.values()].flatMap(partsOf);
    return decryptMessage(message, { parts, protectedKeys: this.#protected });
  }

  #signer(userOrKeyId: string): Signer {
    const states = [...this.#blocks.values()].map((block) => this.#stateOf(block));
    const key = findSigningKey(userOrKeyId, { states, now: this.#now(), protectedKeys: this.#protected });
    return createSigner(key, this.#clock);
  }

  #import(bytes: Uint8Array, trusted: boolean): readonly ImportedKey[] {
    const file = readKeyFile(bytes);
    const problems = [...file.problems];
    const imported: ImportedKey[] = [];
    for (const block of file.blocks) {
      const tidied = tidy(block, {
        now: this.#now(),
        isKnown: this.#blocks.has(block.primary.key.fingerprint),
      });
      if (typeof tidied === "string") {
        problems.push(tidied);
      } else {
        imported.push(this.#add(tidied, trusted));
      }
    }
    problems.push(...file.revocations.flatMap((revocation) => this.#revoke(revocation)));
    problems.push(...file.protectedKeys.map((key) => this.#noteProtected(key)));
    if (problems.length === 0 && imported.length === 0 && file.revocations.length === 0) {
      problems.push("no valid OpenPGP data found");
    }
    if (problems.length > 0) {
      throw new KeyImportError(problems, imported);
    }
    return imported;
  }

  #add(block: KeyBlock, trusted: boolean): ImportedKey {
    const { fingerprint } = block.primary.key;
    this.#replace(block);
    if (trusted) {
      this.#trusted.add(fingerprint);
    }
    return {
      fingerprint,
      userIds: block.userIds.map(textOf),
      secret: partsOf(block).some(({ secret }) => secret !== undefined),
    };
  }

  #replace(block: KeyBlock): void {
    const { fingerprint } = block.primary.key;
    const old = this.#blocks.get(fingerprint);
    const merged = old === undefined ? block : mergeBlocks(old, block);
    this.#blocks.set(fingerprint, merged);
    for (const { key } of partsOf(merged)) {
      for (const name of [key.fingerprint, key.keyId]) {
        if (!this.#owners.has(name)) {
          this.#owners.set(name, fingerprint);
        }
      }
    }
    // All of them: the new key may be the one that may revoke another.
    this.#judged.clear();
  }

  /** Applies a certificate without its key; returns what is wrong with it. */
  #revoke(revocation: Signature): readonly string[] {
    const block = this.#blocks.get(this.#owners.get(revocation.issuer) ?? "");
    if (block === undefined) {
      return [`the keyring doesn't have the key ${revocation.issuer}, so it can't be revoked`];
    }
    const primary = { ...block.primary, signatures: [revocation] };
    this.#replace({ primary, userIds: [], subkeys: [] });
    return [];
  }

  #noteProtected({ keyId }: PublicKey): string {
    this.#protected.add(keyId);
    return (
      `the secret key ${keyId} is protected by a passphrase, which nobody could enter: ` +
      "remove the passphrase (gpg --edit-key, passwd), and export the key again"
    );
  }

  #findIssuer({ issuer, issuerFingerprint }: Signature): Issuer | undefined {
    return this.#findPart(issuerFingerprint ?? "") ?? this.#findPart(issuer);
  }

  #findPart(name: string): Issuer | undefined {
    const owner = this.#owners.get(name);
    const block = this.#blocks.get(owner ?? "");
    if (owner === undefined || block === undefined) {
      return undefined;
    }
    const state = this.#stateOf(block);
    const part = state.parts.find(({ part: { key } }) => key.fingerprint === name || key.keyId === name);
    return part === undefined ? undefined : { state, part, trusted: this.#trusted.has(owner) };
  }

  /** What a key is worth changes with time, but not within a second. */
  #stateOf(block: KeyBlock): BlockState {
    const { fingerprint } = block.primary.key;
    const now = this.#now();
    let judged = this.#judged.get(fingerprint);
    if (judged?.at !== now) {
      const findKey = (keyId: string) => this.#findKey(keyId);
      judged = { at: now, state: judge(block, { now, findKey }) };
      this.#judged.set(fingerprint, judged);
    }
    return judged.state;
  }

  #findKey(keyId: string): PublicKey | undefined {
    const block = this.#blocks.get(this.#owners.get(keyId) ?? "");
    return block === undefined ? undefined : partsOf(block).find(({ key }) => key.keyId === keyId)?.key;
  }

  /** In seconds since the epoch. */
  #now(): number {
    return Math.floor(this.#clock.now() / 1000);
  }
}

import type { Clock } from "@weir/base";
import { decryptMessage } from "./decrypt.ts";
import { KeyImportError } from "./errors.ts";
import { findSigningKey } from "./find-signing-key.ts";
import { readGnupgHome } from "./gnupg-home/read-home.ts";
import type { ImportedKey } from "./imported-key.ts";
import { type KeyBlock, mergeBlocks, partsOf, textOf } from "./key-block.ts";
import { type BlockState, judge } from "./key-state.ts";
import { checkOnce, checkOwnSignatures } from "./made-signatures.ts";
import type { PublicKey } from "./public-key.ts";
import { readKeyFile } from "./read-keys.ts";
import { createSigner } from "./sign.ts";
import { type Signature, SignatureType } from "./signature.ts";
import type { Signer } from "./signer.ts";
import { tidy } from "./tidy.ts";
import type { SignedData, Verdict } from "./verdict.ts";
import { decideVerdict, type Issuer } from "./verify.ts";

interface Judged {
  readonly at: number;
  readonly state: BlockState;
}

/** The keys of a keyring, and what it does with them. Apart from the keyring, because this needs openpgp.js. */
export class KeyStore {
  readonly #clock: Pick<Clock, "now">;
  /** By fingerprint, in the order in which they came. */
  readonly #blocks = new Map<string, KeyBlock>();
  readonly #trusted = new Set<string>();
  /** Key IDs of secret keys and subkeys that only a passphrase could open. */
  readonly #protected = new Set<string>();
  /** The fingerprint of the key to which a part belongs, by the part's fingerprint and by its key ID. */
  readonly #owners = new Map<string, string>();
  readonly #judged = new Map<string, Judged>();

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  /** Trusts all keys of the keyring like one's own (gpg's "ultimate"). */
  trustAll(): void {
    for (const fingerprint of this.#blocks.keys()) {
      this.#trusted.add(fingerprint);
    }
  }

  verify(signed: SignedData): Promise<Verdict> {
    return decideVerdict(signed, {
      now: this.#now(),
      findIssuer: (signature: Signature) => this.#findIssuer(signature),
    });
  }

  signer(userOrKeyId: string): Signer {
    const states = [...this.#blocks.values()].map((block) => this.#stateOf(block));
    const key = findSigningKey(userOrKeyId, { states, now: this.#now(), protectedKeys: this.#protected });
    return createSigner(key, this.#clock);
  }

  decrypt(message: Uint8Array): Promise<Uint8Array> {
    const parts = [...this.#blocks.values()].flatMap(partsOf);
    return decryptMessage(message, { parts, protectedKeys: this.#protected });
  }

  async import(bytes: Uint8Array, trusted: boolean): Promise<readonly ImportedKey[]> {
    const file = await readKeyFile(bytes);
    const problems = [...file.problems];
    const imported: ImportedKey[] = [];
    for (const block of file.blocks) {
      const isKnown = this.#blocks.has(block.primary.key.fingerprint);
      const tidied = await tidy(block, { now: this.#now(), isKnown });
      if (typeof tidied === "string") {
        problems.push(tidied);
      } else {
        imported.push(this.#add(tidied, trusted));
      }
    }
    for (const revocation of file.revocations) {
      problems.push(...(await this.#revoke(revocation)));
    }
    await this.#checkRevocationsByOthers();
    problems.push(...file.protectedKeys.map((key) => this.#noteProtected(key)));
    if (problems.length === 0 && imported.length === 0 && file.revocations.length === 0) {
      problems.push("no valid OpenPGP data found");
    }
    if (problems.length > 0) {
      throw new KeyImportError(problems, imported);
    }
    return imported;
  }

  async importHome(folder: string): Promise<readonly ImportedKey[]> {
    const home = await readGnupgHome(folder);
    const problems = [...home.problems];
    const imported: ImportedKey[] = [];
    for (const keys of home.keys) {
      try {
        imported.push(...(await this.import(keys, false)));
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
  async #revoke(revocation: Signature): Promise<readonly string[]> {
    const block = this.#blocks.get(this.#owners.get(revocation.issuer) ?? "");
    if (block === undefined) {
      return [`the keyring doesn't have the key ${revocation.issuer}, so it can't be revoked`];
    }
    const primary = { ...block.primary, signatures: [revocation] };
    const revoked = { primary, userIds: [], subkeys: [] };
    await checkOwnSignatures(revoked);
    this.#replace(revoked);
    return [];
  }

  /** Checks the revocations whose keys are there by now. */
  async #checkRevocationsByOthers(): Promise<void> {
    for (const { primary } of this.#blocks.values()) {
      for (const signature of primary.signatures) {
        const revoker = this.#findKey(signature.issuer);
        if (signature.type === SignatureType.keyRevocation && revoker !== undefined) {
          await checkOnce(revoker, signature, [primary.key.hashed]);
        }
      }
    }
    this.#judged.clear();
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

import { isBinary, readArmor } from "./armor.ts";
import type { KeyBlock, KeyPart, UserId } from "./key-block.ts";
import { MalformedError } from "./malformed-error.ts";
import { type Packet, readPackets, Tag } from "./packets.ts";
import { type PublicKey, readPublicKey, readSecretKey, UnsupportedKeyError } from "./public-key.ts";
import { readSignature, type Signature, SignatureType } from "./signature.ts";

/** More than the keyring of a large project has. */
export const mostKeyPackets = 100_000;

/** What a file with keys holds. */
export interface KeyFile {
  readonly blocks: readonly KeyBlock[];
  /** Revocation certificates without the key that they revoke. */
  readonly revocations: readonly Signature[];
  /** Secret keys, or subkeys, that only a passphrase could open. */
  readonly protectedKeys: readonly PublicKey[];
  /** What could not be read, in phrases such as "it ends too early". */
  readonly problems: readonly string[];
}

/** Reads public and secret keys, armored or binary. Never throws: what it can't read is a problem. */
export async function readKeyFile(bytes: Uint8Array): Promise<KeyFile> {
  const collector = new Collector();
  try {
    for await (const binary of binaryParts(bytes)) {
      await collector.read(binary);
    }
  } catch (error) {
    if (!(error instanceof MalformedError)) {
      throw error;
    }
    collector.problems.push(error.message);
  }
  return collector;
}

async function* binaryParts(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  if (isBinary(bytes)) {
    // A copy: keys are made of slices of it, and the caller may clear its own.
    yield Uint8Array.from(bytes);
    return;
  }
  for await (const block of readArmor(Buffer.from(bytes).toString("latin1"))) {
    if (block.type.endsWith("KEY BLOCK")) {
      yield block.bytes;
    }
  }
}

interface GrowingPart extends KeyPart {
  readonly signatures: Signature[];
}

interface GrowingUserId extends UserId {
  readonly signatures: Signature[];
}

interface GrowingBlock extends KeyBlock {
  readonly primary: GrowingPart;
  readonly userIds: GrowingUserId[];
  readonly subkeys: GrowingPart[];
}

class Collector implements KeyFile {
  readonly blocks: KeyBlock[] = [];
  readonly revocations: Signature[] = [];
  readonly protectedKeys: PublicKey[] = [];
  readonly problems: string[] = [];
  #block: GrowingBlock | undefined;
  /** Where the next signature belongs. */
  #signatures: Signature[] | undefined;
  #skipsKey = false;

  /** Reads one series of packets; a key never goes on in the next. */
  async read(bytes: Uint8Array): Promise<void> {
    this.#block = undefined;
    this.#signatures = undefined;
    this.#skipsKey = false;
    const { packets, problem } = await readPackets(bytes, mostKeyPackets);
    for (const packet of packets) {
      await this.#add(packet);
    }
    if (problem !== undefined) {
      throw problem;
    }
    this.#finish();
  }

  async #add(packet: Packet): Promise<void> {
    switch (packet.tag) {
      case Tag.publicKey:
      case Tag.secretKey:
        this.#finish();
        await this.#startKey(packet);
        break;
      case Tag.publicSubkey:
      case Tag.secretSubkey:
        await this.#addSubkey(packet);
        break;
      case Tag.userId:
        this.#addUserId(packet.body);
        break;
      case Tag.userAttribute:
        this.#signatures = undefined;
        break;
      case Tag.signature:
        this.#addSignature(packet.body);
        break;
      default:
        // Trust, comments, and whatever comes after OpenPGP's present version.
        break;
    }
  }

  async #startKey(packet: Packet): Promise<void> {
    try {
      const primary = await this.#readPart(packet);
      this.#skipsKey = false;
      this.#block = { primary, userIds: [], subkeys: [] };
      this.#signatures = primary.signatures;
    } catch (error) {
      if (!(error instanceof UnsupportedKeyError)) {
        throw error;
      }
      this.problems.push(error.message);
      this.#skipsKey = true;
      this.#block = undefined;
      this.#signatures = undefined;
    }
  }

  async #addSubkey(packet: Packet): Promise<void> {
    if (this.#block === undefined) {
      return;
    }
    this.#signatures = undefined;
    try {
      const subkey = await this.#readPart(packet);
      this.#block.subkeys.push(subkey);
      this.#signatures = subkey.signatures;
    } catch (error) {
      // A subkey of another kind is no reason to refuse the key.
      if (!(error instanceof UnsupportedKeyError)) {
        throw error;
      }
    }
  }

  #addUserId(bytes: Uint8Array): void {
    if (this.#block !== undefined) {
      const userId = { bytes, signatures: [] };
      this.#block.userIds.push(userId);
      this.#signatures = userId.signatures;
    }
  }

  #addSignature(body: Uint8Array): void {
    if (this.#skipsKey || isUnknownVersion(body)) {
      return;
    }
    const signature = readSignature(body);
    const ofPrimary =
      signature.type === SignatureType.keyRevocation || signature.type === SignatureType.directKey;
    if (this.#block === undefined) {
      if (signature.type === SignatureType.keyRevocation) {
        this.revocations.push(signature);
      }
    } else {
      (ofPrimary ? this.#block.primary.signatures : this.#signatures)?.push(signature);
    }
  }

  async #readPart({ tag, body }: Packet): Promise<GrowingPart> {
    const key = await readPublicKey(body);
    const part = { key, signatures: [] };
    if (tag === Tag.publicKey || tag === Tag.publicSubkey) {
      return part;
    }
    const secret = await readSecretKey(body, key);
    if (secret.isDecrypted()) {
      return { ...part, secret };
    }
    if (!secret.isMissingSecretKeyMaterial()) {
      this.protectedKeys.push(key);
    }
    return part;
  }

  #finish(): void {
    if (this.#block !== undefined) {
      this.blocks.push(this.#block);
      this.#block = undefined;
    }
  }
}

/** Signatures of later versions of OpenPGP are no reason to refuse the key. */
function isUnknownVersion([version = 0]: Uint8Array): boolean {
  return version > 4;
}

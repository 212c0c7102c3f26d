import { isBinary, readArmor } from "./armor.ts";
import { MalformedError } from "./byte-reader.ts";
import type { KeyBlock, KeyPart, UserId } from "./key-block.ts";
import { type Packet, readPackets, Tag } from "./packets.ts";
import { KeyVersionError, type PublicKey, readPublicKey } from "./public-key.ts";
import { secretPartOf } from "./secret-part.ts";
import { readSignature, type Signature, SignatureType } from "./signature.ts";

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
export function readKeyFile(bytes: Uint8Array): KeyFile {
  const collector = new Collector();
  try {
    for (const binary of binaryParts(bytes)) {
      collector.read(binary);
    }
  } catch (error) {
    if (!(error instanceof MalformedError)) {
      throw error;
    }
    collector.problems.push(error.message);
  }
  return collector;
}

function* binaryParts(bytes: Uint8Array): Generator<Uint8Array, void, undefined> {
  if (isBinary(bytes)) {
    // A copy: keys are made of slices of it, and the caller may clear its own.
    yield Uint8Array.from(bytes);
    return;
  }
  for (const block of readArmor(Buffer.from(bytes).toString("latin1"))) {
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
  read(bytes: Uint8Array): void {
    this.#block = undefined;
    this.#signatures = undefined;
    this.#skipsKey = false;
    for (const packet of readPackets(bytes)) {
      this.#add(packet);
    }
    this.#finish();
  }

  #add(packet: Packet): void {
    switch (packet.tag) {
      case Tag.publicKey:
      case Tag.secretKey:
        this.#finish();
        this.#startKey(packet);
        break;
      case Tag.publicSubkey:
      case Tag.secretSubkey:
        this.#addSubkey(packet);
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

  #startKey(packet: Packet): void {
    try {
      const primary = this.#readPart(packet);
      this.#skipsKey = false;
      this.#block = { primary, userIds: [], subkeys: [] };
      this.#signatures = primary.signatures;
    } catch (error) {
      if (!(error instanceof KeyVersionError)) {
        throw error;
      }
      this.problems.push(error.message);
      this.#skipsKey = true;
      this.#block = undefined;
      this.#signatures = undefined;
    }
  }

  #addSubkey(packet: Packet): void {
    if (this.#block !== undefined) {
      const subkey = this.#readPart(packet);
      this.#block.subkeys.push(subkey);
      this.#signatures = subkey.signatures;
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

  #readPart({ tag, body }: Packet): GrowingPart {
    const key = readPublicKey(body);
    const part = { key, signatures: [] };
    if (tag === Tag.publicKey || tag === Tag.publicSubkey) {
      return part;
    }
    switch (secretPartOf(key, body)) {
      case "plain":
        return { ...part, secret: Uint8Array.from(body) };
      case "protected":
        this.protectedKeys.push(key);
        return part;
      case "elsewhere":
        return part;
      case "damaged":
        throw new MalformedError(`the secret key ${key.keyId} in it is damaged`);
    }
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

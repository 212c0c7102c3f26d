import { messageOf } from "@weir/base";
import type * as OpenPgpModule from "openpgp";
import type { enums, Message, PublicKeyEncryptedSessionKeyPacket, SessionKey } from "openpgp";
import { Usage, usageOfAlgorithm } from "./algorithms.ts";
import { isBinary, readArmor } from "./armor.ts";
import { MalformedError } from "./byte-reader.ts";
import { DecryptionError } from "./errors.ts";
import type { KeyPart } from "./key-block.ts";

/** What a message can be decrypted with. */
export interface DecryptionKeys {
  readonly parts: readonly KeyPart[];
  /** The IDs of the secret keys that only a passphrase could open. */
  readonly protectedKeys: ReadonlySet<string>;
}

/** The most that a message may grow to: more would be an attack, and take the memory of the process. */
const largestContent = 64 * 1024 * 1024;

const unprotected =
  "the message has no integrity protection, so anyone could have changed it: encrypt it again with a current GnuPG";

type OpenPgp = typeof OpenPgpModule;

/**
 * Decrypts a message. Like gpg, it accepts expired and revoked keys, and no message without integrity protection.
 * @throws DecryptionError if no key can, or the message is damaged.
 */
export async function decryptMessage(bytes: Uint8Array, keys: DecryptionKeys): Promise<Uint8Array> {
  const openpgp = await import("openpgp");
  const message = await readMessage(bytes, openpgp);
  const sessionPackets = sessionPacketsIn(message, openpgp);
  const recipients = sessionPackets.map(keyIdOf);
  if (sessionPackets.length === 0) {
    throw new DecryptionError("malformed", "the message isn't encrypted for a key");
  }
  if (message.packets.some((packet) => packet instanceof openpgp.SymmetricallyEncryptedDataPacket)) {
    throw new DecryptionError("other", unprotected, recipients);
  }
  let problem: unknown;
  for (const sessionPacket of sessionPackets) {
    for (const part of candidates(sessionPacket, keys.parts)) {
      const sessionKey = await openSession(sessionPacket, part, openpgp);
      if (sessionKey !== undefined) {
        try {
          return await openContent(bytes, sessionKey, openpgp);
        } catch (error) {
          problem = error;
        }
      }
    }
  }
  throw problem === undefined
    ? new DecryptionError("no-key", missingKey(recipients, keys.protectedKeys), recipients)
    : new DecryptionError("modified", `the message can't be decrypted: ${messageOf(problem)}`, recipients);
}

async function readMessage(bytes: Uint8Array, { readMessage: read }: OpenPgp): Promise<Message<Uint8Array>> {
  try {
    return await read({ binaryMessage: unarmored(bytes) });
  } catch (error) {
    throw new DecryptionError("malformed", `it isn't an OpenPGP message: ${messageOf(error)}`);
  }
}

function unarmored(bytes: Uint8Array): Uint8Array {
  if (isBinary(bytes)) {
    return bytes;
  }
  const [block] = readArmor(Buffer.from(bytes).toString("latin1"));
  if (block === undefined) {
    throw new MalformedError("no valid OpenPGP data found");
  }
  return block.bytes;
}

/** The packets with the key of the content, each encrypted for another recipient. */
function sessionPacketsIn(
  { packets }: Message<Uint8Array>,
  openpgp: OpenPgp,
): readonly PublicKeyEncryptedSessionKeyPacket[] {
  return [...packets].filter((packet) => packet instanceof openpgp.PublicKeyEncryptedSessionKeyPacket);
}

/** The parts of such a packet that openpgp has, but doesn't declare. */
interface SessionPacketInternals {
  readonly publicKeyID: { toHex(): string };
  readonly sessionKey: Uint8Array | null;
  readonly sessionKeyAlgorithm: enums.symmetric | null;
  decrypt(key: unknown): Promise<void>;
}

function internalsOf(packet: PublicKeyEncryptedSessionKeyPacket): SessionPacketInternals {
  return packet as unknown as SessionPacketInternals;
}

function keyIdOf(packet: PublicKeyEncryptedSessionKeyPacket): string {
  return internalsOf(packet).publicKeyID.toHex().toUpperCase();
}

/** What stands for a recipient who shall not be named. */
const anonymous = "0000000000000000";

function candidates(
  packet: PublicKeyEncryptedSessionKeyPacket,
  parts: readonly KeyPart[],
): readonly KeyPart[] {
  const keyId = keyIdOf(packet);
  return parts.filter(
    ({ key, secret }) =>
      secret !== undefined &&
      (keyId === anonymous || key.keyId === keyId) &&
      (usageOfAlgorithm(key.algorithm) & Usage.encrypt) !== 0,
  );
}

async function openSession(
  packet: PublicKeyEncryptedSessionKeyPacket,
  { secret = new Uint8Array() }: KeyPart,
  { SecretKeyPacket, enums: names }: OpenPgp,
): Promise<SessionKey | undefined> {
  const key = new SecretKeyPacket();
  const internals = internalsOf(packet);
  try {
    await key.read(secret);
    await internals.decrypt(key);
  } catch {
    // Not this key's message, or damaged: another recipient's key may still open it.
    return undefined;
  }
  const { sessionKey: data, sessionKeyAlgorithm: number } = internals;
  return data === null || number === null
    ? undefined
    : { data, algorithm: names.read(names.symmetric, number) };
}

/** Reads the message again: openpgp uses up the one that it decrypts. */
async function openContent(bytes: Uint8Array, sessionKey: SessionKey, openpgp: OpenPgp): Promise<Uint8Array> {
  // The declared type depends on a package for streams, which isn't needed.
  const { data } = (await openpgp.decrypt({
    message: await readMessage(bytes, openpgp),
    sessionKeys: sessionKey,
    format: "binary",
    config: { maxDecompressedMessageSize: largestContent },
  })) as { readonly data: Uint8Array };
  return data;
}

function missingKey(recipients: readonly string[], protectedKeys: ReadonlySet<string>): string {
  const named = recipients.filter((keyId) => keyId !== anonymous);
  const whom =
    named.length === 0
      ? "recipients whom it doesn't name"
      : `${named.length === 1 ? "the key" : "the keys"} ${named.join(", ")}`;
  const locked = named.filter((keyId) => protectedKeys.has(keyId));
  return locked.length > 0
    ? `the message is encrypted for ${whom}, and the secret key ${locked.join(", ")} is protected by a passphrase`
    : `the message is encrypted for ${whom}, and the keyring has no secret key that can decrypt it`;
}

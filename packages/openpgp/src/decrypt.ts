import { messageOf } from "@weir/base";
import {
  decrypt,
  enums,
  type Message,
  PublicKeyEncryptedSessionKeyPacket,
  readMessage,
  type SecretKeyPacket,
  type SessionKey,
  SymmetricallyEncryptedDataPacket,
} from "openpgp";
import { Usage, usageOfAlgorithm } from "./algorithms.ts";
import { bytesIn, isBinary, readArmor } from "./armor.ts";
import { DecryptionError } from "./errors.ts";
import type { KeyPart } from "./key-block.ts";
import { MalformedError } from "./malformed-error.ts";

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

/**
 * Decrypts a message. Like gpg, it accepts expired and revoked keys, and no message without integrity protection.
 * @throws DecryptionError if no key can, or the message is damaged.
 */
export async function decryptMessage(bytes: Uint8Array, keys: DecryptionKeys): Promise<Uint8Array> {
  const message = await read(bytes);
  const sessionPackets = sessionPacketsIn(message);
  const recipients = sessionPackets.map(keyIdOf);
  if (sessionPackets.length === 0) {
    throw new DecryptionError("malformed", "the message isn't encrypted for a key");
  }
  if (message.packets.some((packet) => packet instanceof SymmetricallyEncryptedDataPacket)) {
    throw new DecryptionError("other", unprotected, recipients);
  }
  let problem: unknown;
  for (const sessionPacket of sessionPackets) {
    for (const secret of candidates(sessionPacket, keys.parts)) {
      const sessionKey = await openSession(sessionPacket, secret);
      if (sessionKey !== undefined) {
        try {
          return await openContent(bytes, sessionKey);
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

async function read(bytes: Uint8Array): Promise<Message<Uint8Array>> {
  try {
    return await readMessage({ binaryMessage: await unarmored(bytes) });
  } catch (error) {
    throw new DecryptionError("malformed", `it isn't an OpenPGP message: ${messageOf(error)}`);
  }
}

async function unarmored(bytes: Uint8Array): Promise<Uint8Array> {
  if (isBinary(bytes)) {
    return bytes;
  }
  const { value } = await readArmor(Buffer.from(bytes).toString("latin1")).next();
  if (value === undefined) {
    throw new MalformedError("no valid OpenPGP data found");
  }
  return value.bytes;
}

/** The packets with the key of the content, each encrypted for another recipient. */
function sessionPacketsIn({ packets }: Message<Uint8Array>): readonly PublicKeyEncryptedSessionKeyPacket[] {
  return [...packets].filter((packet) => packet instanceof PublicKeyEncryptedSessionKeyPacket);
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
): readonly SecretKeyPacket[] {
  const keyId = keyIdOf(packet);
  return parts.flatMap(({ key, secret }) =>
    secret !== undefined &&
    (keyId === anonymous || key.keyId === keyId) &&
    (usageOfAlgorithm(key.algorithm) & Usage.encrypt) !== 0
      ? [secret]
      : [],
  );
}

async function openSession(
  packet: PublicKeyEncryptedSessionKeyPacket,
  secret: SecretKeyPacket,
): Promise<SessionKey | undefined> {
  const internals = internalsOf(packet);
  try {
    await internals.decrypt(secret);
  } catch {
    // Not this key's message, or damaged: another recipient's key may still open it.
    return undefined;
  }
  const { sessionKey: data, sessionKeyAlgorithm: number } = internals;
  return data === null || number === null
    ? undefined
    : { data, algorithm: enums.read(enums.symmetric, number) };
}

/** Reads the message again: openpgp uses up the one that it decrypts. */
async function openContent(bytes: Uint8Array, sessionKey: SessionKey): Promise<Uint8Array> {
  const decrypted = await decrypt({
    message: await read(bytes),
    sessionKeys: sessionKey,
    format: "binary",
    config: { maxDecompressedMessageSize: largestContent },
  });
  return bytesIn(decrypted);
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

import { backSignatureIn } from "./back-signature.ts";
import { checkSignature } from "./check-signature.ts";
import type { KeyBlock, KeyPart, UserId } from "./key-block.ts";
import type { PublicKey } from "./public-key.ts";
import { isAboutUserId, type Signature, SignatureType } from "./signature.ts";

const checked = new WeakSet<Signature>();
const made = new WeakSet<Signature>();

/** True if the signature has been checked, and the key that it names made it, of what it's attached to. */
export function isMade(signature: Signature): boolean {
  return made.has(signature);
}

/** Checks a signature unless that has been done: it belongs to one place of one key, so the result never changes. */
export async function checkOnce(
  key: PublicKey,
  signature: Signature,
  signed: readonly Uint8Array[],
): Promise<void> {
  if (!checked.has(signature)) {
    if ((await checkSignature(key, signature, signed)) === "good") {
      made.add(signature);
    }
    checked.add(signature);
  }
}

/** Checks what a key has signed of itself. */
export async function checkOwnSignatures({ primary, userIds, subkeys }: KeyBlock): Promise<void> {
  const own = ({ issuer }: Signature): boolean => issuer === primary.key.keyId;
  await Promise.all([
    ...primary.signatures.filter(own).map((each) => checkOnce(primary.key, each, [primary.key.hashed])),
    ...userIds.flatMap((userId) =>
      userId.signatures
        .filter((each) => own(each) && isAboutUserId(each))
        .map((each) => checkOnce(primary.key, each, [primary.key.hashed, ...hashedUserId(userId, each)])),
    ),
    ...subkeys.map((subkey) => checkSubkey(primary.key, subkey)),
  ]);
}

async function checkSubkey(primary: PublicKey, { key, signatures }: KeyPart): Promise<void> {
  const signed = [primary.hashed, key.hashed];
  for (const signature of signatures.filter(({ issuer }) => issuer === primary.keyId)) {
    await checkOnce(primary, signature, signed);
    const back = signature.type === SignatureType.subkeyBinding ? backSignatureIn(signature) : undefined;
    if (back !== undefined) {
      await checkOnce(key, back, signed);
    }
  }
}

function hashedUserId({ bytes }: UserId, { version }: Signature): readonly Uint8Array[] {
  if (version < 4) {
    return [bytes];
  }
  const header = Buffer.alloc(5);
  header[0] = 0xb4;
  header.writeUInt32BE(bytes.length, 1);
  return [header, bytes];
}

import type { Clock } from "@weir/base";
import { armor, config, enums, PacketList, type SecretKeyPacket } from "openpgp";
import { coordinateLength, isCurveNative } from "./curves.ts";
import { SigningKeyError } from "./errors.ts";
import type { SigningKey } from "./find-signing-key.ts";
import { GpgSignaturePacket } from "./signature-packet.ts";
import type { Signer } from "./signer.ts";

/** Signs with a key, with the hash functions that gpg takes. */
export function createSigner({ key, secret, mail }: SigningKey, clock: Pick<Clock, "now">): Signer {
  return {
    async sign(data) {
      const signature = new GpgSignaturePacket();
      signature.signatureType = enums.signature.binary;
      signature.publicKeyAlgorithm = secret.algorithm;
      signature.hashAlgorithm = hashFor(secret);
      signature.signersUserID = mail ?? null;
      signature.isCurveForeign = !isCurveNative(secret);
      try {
        await signature.sign(secret, data, new Date(clock.now()), true, plain);
      } catch {
        // Without the cause, which may be about the secret.
        throw new SigningKeyError(`gpg: signing failed: the secret key ${key.keyId} is damaged`);
      }
      return armored(signature);
    },
  };
}

/** Without random bytes in signatures: gpg adds none. */
const plain = { ...config, nonDeterministicSignaturesViaNotation: false };

/** Of the length that the key needs. */
function hashFor(key: SecretKeyPacket): enums.hash {
  switch (key.algorithm) {
    case enums.publicKey.rsaEncryptSign:
    case enums.publicKey.rsaSign:
      return enums.hash.sha512;
    case enums.publicKey.ecdsa: {
      const length = coordinateLength(key);
      return length <= 32 ? enums.hash.sha256 : length <= 48 ? enums.hash.sha384 : enums.hash.sha512;
    }
    default:
      return enums.hash.sha256;
  }
}

function armored(signature: GpgSignaturePacket): string {
  const packets = new PacketList<GpgSignaturePacket>();
  packets.push(signature);
  // Old versions of gpg want the checksum.
  return armor(enums.armor.signature, packets.write(), undefined, undefined, undefined, true);
}

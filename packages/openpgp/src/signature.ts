import { Usage, usageOfAlgorithm } from "./algorithms.ts";
import { hex } from "./hex.ts";
import { MalformedError } from "./malformed-error.ts";
import { GpgSignaturePacket } from "./signature-packet.ts";
import { Subpacket, Subpackets } from "./subpackets.ts";

/** What a signature says about what it signs. */
export const SignatureType = {
  binary: 0x00,
  text: 0x01,
  certification: 0x10,
  positiveCertification: 0x13,
  subkeyBinding: 0x18,
  primaryKeyBinding: 0x19,
  directKey: 0x1f,
  keyRevocation: 0x20,
  subkeyRevocation: 0x28,
  certificationRevocation: 0x30,
} as const;

/** A signature packet. Times are in seconds since the epoch. */
export interface Signature {
  readonly version: number;
  readonly type: number;
  /** The algorithm of the key. */
  readonly algorithm: number;
  /** The OpenPGP number of the hash function. */
  readonly hash: number;
  readonly created: number;
  readonly expires: number | undefined;
  /** The key ID that it names, or zeros. */
  readonly issuer: string;
  readonly issuerFingerprint: string | undefined;
  readonly hashed: Subpackets;
  readonly unhashed: Subpackets;
  readonly hasUnknownCritical: boolean;
  readonly packet: GpgSignaturePacket;
  readonly body: Uint8Array;
}

/**
 * Reads the body of a signature packet.
 * @throws MalformedError if gpg 2.2 couldn't read it.
 */
export function readSignature(body: Uint8Array): Signature {
  const packet = readPacket(body);
  const hashed = new Subpackets(packet.hashedSubpackets);
  const unhashed = new Subpackets(packet.unhashedSubpackets);
  const created = hashed.firstNumber(Subpacket.created) ?? 0;
  const lifetime = hashed.firstNumber(Subpacket.expires);
  const issuer = hashed.first(Subpacket.issuer) ?? unhashed.first(Subpacket.issuer) ?? noKeyId;
  return {
    version: packet.version,
    type: packet.signatureType ?? 0,
    algorithm: packet.publicKeyAlgorithm ?? 0,
    hash: packet.hashAlgorithm ?? 0,
    created,
    expires: lifetime === undefined ? undefined : created + lifetime,
    issuer: hex(issuer.subarray(0, 8)),
    issuerFingerprint: fingerprintIn(hashed.first(Subpacket.issuerFingerprint)),
    hashed,
    unhashed,
    hasUnknownCritical: !packet.isComplete || hashed.hasUnknownCritical || unhashed.hasUnknownCritical,
    packet,
    body,
  };
}

function readPacket(body: Uint8Array): GpgSignaturePacket {
  const [version = 0] = body;
  if (version < 2 || version > 4) {
    throw new MalformedError(`it has a signature of version ${version}, which GnuPG 2.2 doesn't know`);
  }
  const packet = new GpgSignaturePacket();
  try {
    packet.read(body);
  } catch (error) {
    if (!isReadButForNumbers(packet)) {
      throw new MalformedError("a signature in it is damaged", { cause: error });
    }
  }
  return packet;
}

/** The algorithm isn't known, but everything before the numbers is. */
function isReadButForNumbers({ publicKeyAlgorithm, signedHashValue }: GpgSignaturePacket): boolean {
  return signedHashValue !== null && (usageOfAlgorithm(publicKeyAlgorithm ?? 0) & Usage.sign) === 0;
}

const noKeyId = new Uint8Array(8);

function fingerprintIn(value: Uint8Array | undefined): string | undefined {
  return value?.length === 21 && value[0] === 4 ? hex(value.subarray(1)) : undefined;
}

/** True for certifications of user IDs, and for their revocations. */
export function isAboutUserId({ type }: Signature): boolean {
  return (
    (type >= SignatureType.certification && type <= SignatureType.positiveCertification) ||
    type === SignatureType.certificationRevocation
  );
}

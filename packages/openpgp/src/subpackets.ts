import type { RawSubpacket } from "openpgp";

/** The kinds of subpackets that matter here. */
export const Subpacket = {
  created: 2,
  expires: 3,
  trust: 5,
  revocable: 7,
  keyExpires: 9,
  revocationKey: 12,
  issuer: 16,
  notation: 20,
  primaryUserId: 25,
  keyFlags: 27,
  signersUserId: 28,
  revocationReason: 29,
  embeddedSignature: 32,
  issuerFingerprint: 33,
  keyBlock: 38,
} as const;

/** One of the two lists of attributes in a signature, understood as gpg does. */
export class Subpackets {
  readonly #entries: readonly RawSubpacket[];

  constructor(entries: readonly RawSubpacket[]) {
    this.#entries = entries;
  }

  /** The first value of a type, unless it's too short. */
  first(type: number): Uint8Array | undefined {
    const found = this.#entries.find((entry) => entry.type === type);
    return found !== undefined && hasValidLength(found) ? found.body : undefined;
  }

  /** The first number of a type; undefined for 0, which means "none". */
  firstNumber(type: number): number | undefined {
    const value = this.first(type);
    return value === undefined ? undefined : Buffer.from(value).readUInt32BE() || undefined;
  }

  /** All values of a type, up to the first that is too short. */
  all(type: number): readonly Uint8Array[] {
    const found = this.#entries.filter((entry) => entry.type === type);
    const broken = found.findIndex((entry) => !hasValidLength(entry));
    return (broken === -1 ? found : found.slice(0, broken)).map(({ body }) => body);
  }

  /** True if it holds something that whoever doesn't understand it must not accept. */
  get hasUnknownCritical(): boolean {
    return this.#entries.some((entry) => entry.critical && !isUnderstood(entry));
  }
}

/** The types of which gpg checks the length. */
function hasValidLength({ type, body: value }: RawSubpacket): boolean {
  switch (type) {
    case Subpacket.revocationKey:
      return value.length >= 22;
    case Subpacket.created:
    case Subpacket.expires:
    case Subpacket.keyExpires:
      return value.length >= 4;
    case Subpacket.issuer:
      return value.length >= 8;
    case Subpacket.issuerFingerprint:
      return value.length >= 21;
    case Subpacket.primaryUserId:
      return value.length === 1;
    case Subpacket.embeddedSignature:
    case Subpacket.revocable:
    case Subpacket.revocationReason:
      return value.length > 0;
    default:
      return true;
  }
}

/** The types that gpg 2.2 understands when they're critical. */
const understood = new Set([2, 3, 4, 5, 6, 7, 9, 11, 12, 16, 21, 22, 24, 25, 26, 27, 29, 30, 32, 33]);

const understoodNotations = new Set(["preferred-email-encoding@pgp.com", "pka-address@gnupg.org"]);

function isUnderstood({ type, body: value }: RawSubpacket): boolean {
  switch (type) {
    case Subpacket.notation:
      return understoodNotations.has(notationName(value));
    case Subpacket.keyBlock:
      return value.length > 0 && value[0] === 0;
    default:
      return understood.has(type);
  }
}

/** A notation starts with four bytes of flags, and the lengths of its name and its value. */
function notationName(value: Uint8Array): string {
  const length = value.length < 8 ? 0 : ((value[4] ?? 0) << 8) | (value[5] ?? 0);
  return Buffer.from(value.subarray(8, 8 + length)).toString("latin1");
}

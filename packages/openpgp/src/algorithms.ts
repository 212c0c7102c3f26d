/** Public-key algorithms, by their OpenPGP numbers. */
export const Algorithm = {
  rsa: 1,
  rsaEncrypt: 2,
  rsaSign: 3,
  elgamal: 16,
  dsa: 17,
  ecdh: 18,
  ecdsa: 19,
  eddsa: 22,
} as const;

/** What a key may be used for. */
export const Usage = { certify: 1, sign: 2, encrypt: 4, authenticate: 8, other: 16 } as const;

/** What an algorithm can be used for at all, as in gpg; 0 for an algorithm that gpg 2.2 doesn't know. */
export function usageOfAlgorithm(algorithm: number): number {
  switch (algorithm) {
    case Algorithm.rsa:
      return Usage.certify | Usage.sign | Usage.encrypt | Usage.authenticate;
    case Algorithm.rsaSign:
      return Usage.certify | Usage.sign;
    case Algorithm.rsaEncrypt:
    case Algorithm.elgamal:
    case Algorithm.ecdh:
      return Usage.encrypt;
    case Algorithm.dsa:
    case Algorithm.ecdsa:
    case Algorithm.eddsa:
      return Usage.certify | Usage.sign | Usage.authenticate;
    default:
      return 0;
  }
}

/** A hash function that gpg 2.2 can check signatures with. */
export interface Hash {
  /** As people write it. */
  readonly title: string;
  /** As `node:crypto` calls it. */
  readonly name: string;
  /** Of the digest, in bytes. */
  readonly length: number;
  /** True if gpg accepts no signature made with it. */
  readonly weak?: true;
}

const hashes: ReadonlyMap<number, Hash> = new Map([
  [1, { title: "MD5", name: "md5", length: 16, weak: true }],
  [2, { title: "SHA-1", name: "sha1", length: 20 }],
  [3, { title: "RIPEMD-160", name: "ripemd160", length: 20 }],
  [8, { title: "SHA-256", name: "sha256", length: 32 }],
  [9, { title: "SHA-384", name: "sha384", length: 48 }],
  [10, { title: "SHA-512", name: "sha512", length: 64 }],
  [11, { title: "SHA-224", name: "sha224", length: 28 }],
]);

/** The hash function with an OpenPGP number. */
export function hashOf(number: number): Hash | undefined {
  return hashes.get(number);
}

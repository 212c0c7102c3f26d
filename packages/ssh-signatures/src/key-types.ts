/** The key types that can sign, and their names. */

/** An elliptic curve of ECDSA keys: its name in SSH and in JSON Web Keys, the bytes of a coordinate, and the hash. */
export interface Curve {
  readonly name: "nistp256" | "nistp384" | "nistp521";
  readonly jwk: "P-256" | "P-384" | "P-521";
  readonly size: 32 | 48 | 66;
  readonly hash: "sha256" | "sha384" | "sha512";
}

const p256: Curve = { name: "nistp256", jwk: "P-256", size: 32, hash: "sha256" };
const p384: Curve = { name: "nistp384", jwk: "P-384", size: 48, hash: "sha384" };
const p521: Curve = { name: "nistp521", jwk: "P-521", size: 66, hash: "sha512" };

/** All supported curves. */
export const curves: readonly Curve[] = [p256, p384, p521];

/** A key type. `name` is the type of a key that isn't a certificate, as in a .pub file. */
export type KeyType =
  | { readonly kind: "ed25519"; readonly name: "ssh-ed25519"; readonly securityKey: false }
  | { readonly kind: "ed25519"; readonly name: "sk-ssh-ed25519@openssh.com"; readonly securityKey: true }
  | { readonly kind: "ecdsa"; readonly name: string; readonly securityKey: boolean; readonly curve: Curve }
  | { readonly kind: "rsa"; readonly name: "ssh-rsa"; readonly securityKey: false };

/** What a type's name stands for: a key, or a certificate for a key. */
export interface NamedType {
  readonly type: KeyType;
  readonly certificate: boolean;
}

/** Ed25519 keys. */
export const ed25519: KeyType = { kind: "ed25519", name: "ssh-ed25519", securityKey: false };
const skEd25519: KeyType = { kind: "ed25519", name: "sk-ssh-ed25519@openssh.com", securityKey: true };
const skEcdsa: KeyType = {
  kind: "ecdsa",
  name: "sk-ecdsa-sha2-nistp256@openssh.com",
  securityKey: true,
  curve: p256,
};
/** RSA keys. */
export const rsa: KeyType = { kind: "rsa", name: "ssh-rsa", securityKey: false };

const plain = (type: KeyType): NamedType => ({ type, certificate: false });
const certificate = (type: KeyType): NamedType => ({ type, certificate: true });

const types = new Map<string, NamedType>([
  ["ssh-ed25519", plain(ed25519)],
  ["ssh-ed25519-cert-v01@openssh.com", certificate(ed25519)],
  ["sk-ssh-ed25519@openssh.com", plain(skEd25519)],
  ["sk-ssh-ed25519-cert-v01@openssh.com", certificate(skEd25519)],
  ["sk-ecdsa-sha2-nistp256@openssh.com", plain(skEcdsa)],
  ["sk-ecdsa-sha2-nistp256-cert-v01@openssh.com", certificate(skEcdsa)],
  ["webauthn-sk-ecdsa-sha2-nistp256@openssh.com", plain(skEcdsa)],
  ["ssh-rsa", plain(rsa)],
  ["ssh-rsa-cert-v01@openssh.com", certificate(rsa)],
  // OpenSSH also accepts the names of RSA's signature algorithms as names of the key type.
  ["rsa-sha2-256", plain(rsa)],
  ["rsa-sha2-256-cert-v01@openssh.com", certificate(rsa)],
  ["rsa-sha2-512", plain(rsa)],
  ["rsa-sha2-512-cert-v01@openssh.com", certificate(rsa)],
  ...curves.flatMap((curve): (readonly [string, NamedType])[] => {
    const type = ecdsaType(curve);
    return [
      [type.name, plain(type)],
      [`${type.name}-cert-v01@openssh.com`, certificate(type)],
    ];
  }),
]);

/** The type with a name; undefined if there is none that can verify signatures. */
export function findKeyType(name: string): NamedType | undefined {
  return types.get(name);
}

/** The type of ECDSA keys on a curve. */
export function ecdsaType(curve: Curve): KeyType {
  return { kind: "ecdsa", name: `ecdsa-sha2-${curve.name}`, securityKey: false, curve };
}

/** The Secrets that the exported objects use. */
export interface SecretNames {
  readonly git: string;
  readonly publicKeys: string;
  readonly decryption: string;
  readonly signingKey: string;
}

/** Derives their names from the name of the GitRepository. */
export function secretNames(name: string): SecretNames {
  return {
    git: `${name}-git-auth`,
    publicKeys: `${name}-pgp-public-keys`,
    decryption: `${name}-sops-keys`,
    signingKey: `${name}-signing-key`,
  };
}

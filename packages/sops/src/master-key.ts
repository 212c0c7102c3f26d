/** A PGP key. The encrypted data key is an armored OpenPGP message. */
export interface PgpKey {
  readonly type: "pgp";
  readonly fingerprint: string;
  readonly encryptedDataKey: string;
}

/** An age recipient. The encrypted data key is an armored age file. */
export interface AgeKey {
  readonly type: "age";
  readonly recipient: string;
  readonly encryptedDataKey: string;
}

/** A key in AWS KMS. The encrypted data key is in base64. */
export interface KmsKey {
  readonly type: "kms";
  readonly arn: string;
  /** The role to assume; undefined to use the credentials as they are. */
  readonly role: string | undefined;
  /** The encryption context. */
  readonly context: Readonly<Record<string, string>>;
  readonly awsProfile: string | undefined;
  readonly encryptedDataKey: string;
}

/** A key in Google Cloud KMS. The encrypted data key is in base64. */
export interface GcpKmsKey {
  readonly type: "gcp_kms";
  readonly resourceId: string;
  readonly encryptedDataKey: string;
}

/** A key in Azure Key Vault. The encrypted data key is in base64url without padding. */
export interface AzureKey {
  readonly type: "azure_kv";
  readonly vaultUrl: string;
  readonly name: string;
  readonly version: string;
  readonly encryptedDataKey: string;
}

/** A transit key of Vault or OpenBao. The encrypted data key is in Vault's own form: `vault:v1:…`. */
export interface VaultKey {
  readonly type: "hc_vault";
  readonly vaultAddress: string;
  readonly enginePath: string;
  readonly keyName: string;
  readonly encryptedDataKey: string;
}

/** A key that encrypts the data key of a file, or a share of it. Everything in it comes from the file. */
export type MasterKey = PgpKey | AgeKey | KmsKey | GcpKmsKey | AzureKey | VaultKey;

/** The master keys that encrypt the same share of the data key: any one of them is enough. */
export type KeyGroup = readonly MasterKey[];

/** The name of a key for people, as sops shows it. */
export function masterKeyName(key: MasterKey): string {
  switch (key.type) {
    case "pgp":
      return key.fingerprint;
    case "age":
      return key.recipient;
    case "kms":
      return key.arn;
    case "gcp_kms":
      return key.resourceId;
    case "azure_kv":
      return `${key.vaultUrl}/keys/${key.name}/${key.version}`;
    case "hc_vault":
      return `${key.vaultAddress}/v1/${key.enginePath}/keys/${key.keyName}`;
  }
}

/** A key that an import has found. */
export interface ImportedKey {
  /** Of the primary key, in upper case. */
  readonly fingerprint: string;
  readonly userIds: readonly string[];
  /** True if the import contained secret parts of the key. */
  readonly secret: boolean;
}

/** OpenPGP keys, signatures, and messages, with the verdicts of GnuPG. */
export { DecryptionError, type DecryptionFailure, KeyImportError, SigningKeyError } from "./errors.ts";
export type { ImportedKey } from "./imported-key.ts";
export { type ImportOptions, Keyring } from "./keyring.ts";
export type { Signer } from "./signer.ts";
export type { SignedData, Verdict, VerdictStatus } from "./verdict.ts";

/** Reveals the files that git-secret hid in a repository. */
export { DecryptionError, type DecryptionFailure, GitSecretError } from "./errors.ts";
export { type Decrypt, type RevealedFile, type RevealLimits, type RevealOptions, reveal } from "./reveal.ts";
export { type GitSecretSettings, gitSecretSettings } from "./settings.ts";

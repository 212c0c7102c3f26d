/**
 * SSH signatures as git uses them (`gpg.format=ssh`), without ssh-keygen. In: a file with allowed signers, signatures and
 * what they sign, and private keys. Out: verdicts, and signatures.
 */
export type { AllowedSigner } from "./allowed-signer.ts";
export { type AllowedSigners, type LineProblem, parseAllowedSigners } from "./allowed-signers.ts";
export { AllowedSignersFile } from "./allowed-signers-file.ts";
export { isSshSignature } from "./armor.ts";
export { AllowedSignersError, SigningKeyError } from "./errors.ts";
export { checkKeyIsFile, type SshSigner, sshSigner } from "./signer.ts";
export type { Verdict } from "./verdict.ts";
export { type VerifyRequest, verifySshSignature } from "./verify.ts";

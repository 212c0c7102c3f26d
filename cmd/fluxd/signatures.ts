/**
 * Keys for signing and verifying, as the flags ask for. Loads the packages that know signatures only if they do. The
 * private key for signing stays in memory as long as fluxd runs, because it's needed for each commit; it's never written
 * anywhere.
 */
import { type Logger, messageOf, toError } from "@weir/base";
import type { Keyring } from "@weir/openpgp";
import { isSshKeyPath } from "../../src/fluxd-flags/signing-key.ts";
import type { SignatureVerifier, Signer } from "../../src/git/signature.ts";
import { verifierByFormat } from "../../src/git/verifier-by-format.ts";
import type { OpenGpgKeyring } from "./gpg-keyring.ts";
import type { SignatureSettings } from "./settings.ts";
import { openSshSigner, openSshVerifier } from "./ssh-signatures.ts";

/**
 * Opens keys. As in Flux v1, what's wrong with OpenPGP keys is only logged, and shows when something is to be signed
 * or verified. Throws StartupError if the file of allowed SSH signers can't be read.
 */
export async function openSignatures(
  { verify, signingKey, sshAllowedSigners }: SignatureSettings,
  { logger, gpgKeyring }: SignatureContext,
  signal: AbortSignal,
): Promise<Signatures> {
  const verifies = verify !== "none";
  if (!verifies && signingKey === "") {
    return {};
  }
  const keyring = await gpgKeyring();
  const ssh =
    verifies && sshAllowedSigners !== ""
      ? await openSshVerifier(sshAllowedSigners, logger, signal)
      : undefined;
  return {
    verifier: verifies ? verifierByFormat({ openpgp: keyring, ssh }) : undefined,
    signer: signingKey === "" ? undefined : await openSigner(signingKey, keyring, logger),
  };
}

/** What git needs for signatures; each is undefined if it isn't asked for. */
export interface Signatures {
  readonly verifier?: SignatureVerifier | undefined;
  readonly signer?: Signer | undefined;
}

export interface SignatureContext {
  readonly logger: Logger;
  readonly gpgKeyring: OpenGpgKeyring;
}

/** The signer for a key. If the key can't be used, logs it now, and rejects whenever something is to be signed. */
async function openSigner(key: string, keyring: Keyring, logger: Logger): Promise<Signer> {
  try {
    const signer = isSshKeyPath(key) ? await openSshSigner(key) : await keyring.signer(key);
    return {
      sign: (data) =>
        signer.sign(data).catch((error: unknown) => {
          tell(key, error, logger);
          throw error;
        }),
    };
  } catch (error) {
    tell(key, error, logger);
    return {
      sign: () => Promise.reject(toError(error)),
    };
  }
}

/** The errors of jobs and syncs are those of Flux v1, which don't say why. */
function tell(key: string, error: unknown, logger: Logger): void {
  logger.log({
    error: "cannot sign with --git-signing-key, so fluxd can neither commit nor move the sync tag",
    key,
    err: messageOf(error),
  });
}

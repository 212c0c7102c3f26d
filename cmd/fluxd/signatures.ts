/**
 * Keys for signing and verifying, as the flags ask for. Loads the package that knows OpenPGP only if they do. A private
 * OpenPGP key for signing stays in memory as long as fluxd runs, because it's needed for each commit; it's never written
 * anywhere. Only ssh-keygen reads SSH keys.
 */
import { tmpdir } from "node:os";
import { type Logger, messageOf, toError } from "@weir/base";
import type { Keyring } from "@weir/openpgp";
import { isSshKeyPath } from "../../src/fluxd-flags/signing-key.ts";
import type { AllowedSigners, SignatureVerifier, Signer } from "../../src/git/signature.ts";
import { TempFolders } from "../../src/git/temp-folders.ts";
import { AllowedSignersFile } from "./allowed-signers-file.ts";
import type { OpenGpgKeyring } from "./gpg-keyring.ts";
import type { SignatureSettings } from "./settings.ts";
import { openSshSigner } from "./ssh-signer.ts";
import { StartupError } from "./startup-checks.ts";

/**
 * Opens keys. As in Flux v1, what's wrong with OpenPGP keys is only logged, and shows when something is to be signed
 * or verified. Throws StartupError if the file of allowed SSH signers can't be read.
 */
export async function openSignatures(
  { verify, signingKey, sshAllowedSigners }: SignatureSettings,
  context: SignatureContext,
  signal: AbortSignal,
): Promise<Signatures> {
  const verifies = verify !== "none";
  if (!verifies && signingKey === "") {
    return {};
  }
  const keyring = await context.gpgKeyring();
  const ssh =
    verifies && sshAllowedSigners !== ""
      ? await openAllowedSigners(sshAllowedSigners, context, signal)
      : undefined;
  return {
    verifier: verifies ? { openpgp: keyring, ssh } : undefined,
    signer: signingKey === "" ? undefined : await openSigner(signingKey, keyring, context.logger),
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
  /** Removes what's left in temporary folders. */
  readonly cleanup: AsyncDisposableStack;
}

/** Throws StartupError if the file can't be read, or ssh-keygen can't be run. */
async function openAllowedSigners(
  path: string,
  { logger, cleanup }: SignatureContext,
  signal: AbortSignal,
): Promise<AllowedSigners> {
  const folders = await TempFolders.open(tmpdir(), logger);
  cleanup.defer(() => folders.close());
  const file = new AllowedSignersFile({ path, folder: await folders.make("flux-signers"), logger });
  await file.read(signal).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new StartupError({ err: `--git-ssh-allowed-signers: ${messageOf(error)}` });
  });
  return file;
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

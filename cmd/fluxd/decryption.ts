/**
 * Decryption of files, as the flags ask for. Loads what knows sops, git-secret, and OpenPGP when the first file needs it;
 * the OpenPGP keys stay in memory from then on.
 */
import type { Clock, Environment, Logger } from "@weir/base";
import type { Reveal } from "../../src/git/reveal.ts";
import type { Decrypt } from "../../src/manifests/encrypted.ts";
import type { DecryptionSettings } from "./settings.ts";

/** What decrypting needs. */
export interface DecryptionContext {
  readonly env: Environment;
  readonly clock: Clock;
  readonly cleanup: AsyncDisposableStack;
  readonly logger: Logger;
}

/** How to decrypt what's in git; each is undefined if no flag asks for it. */
export interface Decryption {
  /** Decrypts a file that's encrypted with sops. */
  readonly decrypt: Decrypt | undefined;
  /** Decrypts the files that git-secret hid into a work tree. */
  readonly reveal: Reveal | undefined;
}

/** Decrypts files for which the keys are known. */
export function openDecryption(
  { sops, gitSecret, gpgKeyImport }: DecryptionSettings,
  { env, clock, cleanup, logger }: DecryptionContext,
): Decryption {
  const keyring = once(async () => (await import("./keyring.ts")).openKeyring(gpgKeyImport, logger));
  const openedSops = once(async () => (await import("./sops.ts")).openSops({ env, clock, cleanup, keyring }));
  const openedGitSecret = once(async () =>
    (await import("./git-secret.ts")).openGitSecret({ env, keyring, logger }),
  );
  return {
    decrypt: sops ? async (content, signal) => await (await openedSops())(content, signal) : undefined,
    reveal: gitSecret ? async (dir, signal) => await (await openedGitSecret())(dir, signal) : undefined,
  };
}

/** Calls a function at most once, but again after a failure. */
function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
}

/**
 * Decryption of files, as the flags ask for. Loads what knows sops and OpenPGP when the first file needs it; the OpenPGP
 * keys stay in memory from then on.
 */
import type { Clock, Environment, Logger } from "@weir/base";
import type { Decrypt } from "../../src/manifests/encrypted.ts";
import type { DecryptionSettings } from "./settings.ts";

/** What decrypting needs. */
export interface DecryptionContext {
  readonly env: Environment;
  readonly clock: Clock;
  readonly cleanup: AsyncDisposableStack;
  readonly logger: Logger;
}

/** Decrypts files for which the keys are known; undefined if no flag asks for it. */
export function openDecryption(
  { sops, gpgKeyImport }: DecryptionSettings,
  { env, clock, cleanup, logger }: DecryptionContext,
): Decrypt | undefined {
  if (!sops) {
    return undefined;
  }
  const keyring = once(async () => (await import("./keyring.ts")).openKeyring(gpgKeyImport, logger));
  const opened = once(async () => (await import("./sops.ts")).openSops({ env, clock, cleanup, keyring }));
  return async (content, signal) => await (await opened())(content, signal);
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

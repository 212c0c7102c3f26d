/**
 * Decryption of files, as the flags ask for. Loads what knows sops and git-secret when the first file needs it.
 */
import type { Clock, Environment, Logger } from "@weir/base";
import type { Reveal } from "../../src/git/reveal.ts";
import type { Decrypt } from "../../src/manifests/encrypted.ts";
import type { OpenGpgKeyring } from "./gpg-keyring.ts";
import { once } from "./once.ts";
import type { DecryptionSettings } from "./settings.ts";

/** How to decrypt what's in git; each is undefined if no flag asks for it. */
export interface Decryption {
  /** Decrypts a file that's encrypted with sops. */
  readonly decrypt: Decrypt | undefined;
  /** Decrypts the files that git-secret hid into a work tree. */
  readonly reveal: Reveal | undefined;
}

/** Decrypts files for which the keys are known. */
export function openDecryption(
  { sops, gitSecret }: DecryptionSettings,
  { env, clock, cleanup, logger, gpgKeyring }: DecryptionContext,
): Decryption {
  const openedSops = once(async () => {
    const { openSops } = await import("./sops.ts");
    return openSops({ env, clock, cleanup, keyring: gpgKeyring });
  });
  const openedGitSecret = once(async () => {
    const { openGitSecret } = await import("./git-secret.ts");
    return openGitSecret({ env, keyring: gpgKeyring, logger });
  });
  return {
    decrypt: sops ? async (content, signal) => await (await openedSops())(content, signal) : undefined,
    reveal: gitSecret ? async (dir, signal) => await (await openedGitSecret())(dir, signal) : undefined,
  };
}

export interface DecryptionContext {
  readonly env: Environment;
  readonly clock: Clock;
  readonly cleanup: AsyncDisposableStack;
  readonly logger: Logger;
  readonly gpgKeyring: OpenGpgKeyring;
}

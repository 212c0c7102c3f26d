/** The OpenPGP keys that sign, verify, and decrypt. Without a flag that needs them, nothing is loaded. */
import { homedir } from "node:os";
import { join } from "node:path";
import { type Environment, type Logger, messageOf, systemClock } from "@weir/base";
import type { Keyring } from "@weir/openpgp";
import { importGpgKeys } from "./gpg-key-import.ts";
import { once } from "./once.ts";
import type { FluxdConfig } from "./settings.ts";

/** Opens the keyring when it's first needed; it's the same for everybody. */
export type OpenGpgKeyring = () => Promise<Keyring>;

/**
 * A keyring with the keys of the GnuPG home, which can be mounted, and of --git-gpg-key-import. As in Flux v1, what can't
 * be read is only logged, and then missing when it's needed. The keys stay in memory as long as fluxd runs.
 */
export function gpgKeyringOnUse(
  { gpgKeyImport, signatures }: Pick<FluxdConfig, "gpgKeyImport" | "signatures">,
  { env, logger }: GpgKeyringContext,
): OpenGpgKeyring {
  return once(async () => {
    const { Keyring } = await import("@weir/openpgp");
    const keyring = new Keyring({ clock: systemClock });
    await importHome(keyring, env["GNUPGHOME"] || join(env["HOME"] || homedir(), ".gnupg"), logger);
    await importGpgKeys(keyring, { paths: gpgKeyImport, trusted: signatures.verify !== "none", logger });
    return keyring;
  });
}

export interface GpgKeyringContext {
  readonly env: Environment;
  readonly logger: Logger;
}

async function importHome(keyring: Keyring, folder: string, logger: Logger): Promise<void> {
  try {
    const { length } = await keyring.importHome(folder);
    if (length > 0) {
      logger.log({ info: `read the GnuPG keyring in ${folder}`, keys: length });
    }
  } catch (error) {
    logger.log({ error: `cannot read all keys of the GnuPG keyring in ${folder}`, err: messageOf(error) });
  }
}

/** Reveals the files that git-secret hid. Loaded when the first work tree is made. */
import { type Environment, gitSecretLimits, type Logger, Reported } from "@weir/base";
import { type Decrypt, DecryptionError, GitSecretError, gitSecretSettings, reveal } from "@weir/git-secret";
import { type Keyring, DecryptionError as MessageError } from "@weir/openpgp";
import type { Reveal } from "../../src/git/reveal.ts";

/** Reveals files with the keys of a keyring. Errors are git-secret's; the log says which key is missing. */
export function openGitSecret({ env, keyring, logger }: GitSecretContext): Reveal {
  const settings = gitSecretSettings(env);
  const told = new Reported();
  const decrypt: Decrypt = async (message) => {
    try {
      return await (await keyring()).decrypt(message);
    } catch (error) {
      throw error instanceof MessageError
        ? new DecryptionError(error.failure, error.message, { cause: error })
        : error;
    }
  };
  return async (root, signal) => {
    try {
      const revealed = await reveal({ root, settings, decrypt, limits: gitSecretLimits }, signal);
      told.clear("reveal");
      return revealed;
    } catch (error) {
      const reason = error instanceof GitSecretError ? error.cause : undefined;
      if (reason instanceof DecryptionError && told.isNew("reveal", reason.message)) {
        logger.log({ error: "cannot reveal the files that git-secret hides", err: reason.message });
      }
      throw error;
    }
  };
}

export interface GitSecretContext {
  readonly env: Environment;
  readonly keyring: () => Promise<Pick<Keyring, "decrypt">>;
  readonly logger: Logger;
}

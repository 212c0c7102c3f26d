/** Decrypts files that sops encrypted. Loaded when the first such file is read. */
import { homedir } from "node:os";
import { join } from "node:path";
import type { Environment } from "@weir/base";
import {
  AgeKeyService,
  decrypt,
  dispatchingKeyService,
  MetadataNotFoundError,
  type PgpDecrypter,
  pgpKeyService,
} from "@weir/sops";
import type { Decrypt } from "../../src/manifests/encrypted.ts";

/** Opens the key services that sops has. As in Flux v1, a file with manifests is always YAML. */
export function openSops(env: Environment, keyring: () => Promise<PgpDecrypter>): Decrypt {
  const keys = dispatchingKeyService({
    pgp: pgpKeyService({ decrypt: async (message) => await (await keyring()).decrypt(message) }),
    age: new AgeKeyService({ environment: env, configFolder: configFolderOf(env) }),
  });
  return async (bytes, signal) => {
    try {
      return await decrypt({ bytes, format: "yaml", keys }, signal);
    } catch (error) {
      if (error instanceof MetadataNotFoundError) {
        return bytes;
      }
      throw error;
    }
  };
}

/** The folder that Go's os.UserConfigDir returns. */
function configFolderOf(env: Environment): string {
  return env["XDG_CONFIG_HOME"] || join(env["HOME"] || homedir(), ".config");
}

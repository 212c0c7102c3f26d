/** Decrypts files that sops encrypted. Loaded when the first such file is read. */
import { homedir } from "node:os";
import { join } from "node:path";
import type { Clock, Environment } from "@weir/base";
import {
  AgeKeyService,
  decrypt,
  dispatchingKeyService,
  MetadataNotFoundError,
  type PgpDecrypter,
  pgpKeyService,
} from "@weir/sops";
import { openCloudKeyService } from "@weir/sops/key-services";
import type { Decrypt } from "../../src/manifests/encrypted.ts";

/** Opens the key services that sops has. As in Flux v1, a file with manifests is always YAML. */
export function openSops({ env, clock, cleanup, keyring }: SopsContext): Decrypt {
  const cloud = openCloudKeyService({ env: { ...env, HOME: env["HOME"] || homedir() }, clock });
  cleanup.defer(() => cloud[Symbol.asyncDispose]());
  const keys = dispatchingKeyService({
    pgp: pgpKeyService({ decrypt: async (message) => await (await keyring()).decrypt(message) }),
    age: new AgeKeyService({ environment: env, configFolder: configFolderOf(env) }),
    kms: cloud,
    gcp_kms: cloud,
    azure_kv: cloud,
    hc_vault: cloud,
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

export interface SopsContext {
  readonly env: Environment;
  readonly clock: Clock;
  /** Closes connections to key services. */
  readonly cleanup: AsyncDisposableStack;
  readonly keyring: () => Promise<PgpDecrypter>;
}

/** The folder that Go's os.UserConfigDir returns. */
function configFolderOf(env: Environment): string {
  return env["XDG_CONFIG_HOME"] || join(env["HOME"] || homedir(), ".config");
}

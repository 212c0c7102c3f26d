import type { Environment } from "@weir/base";

/** Where git-secret keeps its files. */
export interface GitSecretSettings {
  /** Its folder, relative to the root of the repository. */
  readonly folder: string;
  /** What the name of each encrypted file ends with. */
  readonly extension: string;
}

/** git-secret's settings from SECRETS_DIR and SECRETS_EXTENSION; as in git-secret, "" means the default. */
export function gitSecretSettings(env: Environment): GitSecretSettings {
  return { folder: env["SECRETS_DIR"] || ".gitsecret", extension: env["SECRETS_EXTENSION"] || ".secret" };
}

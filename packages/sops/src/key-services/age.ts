import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describeFileError, type Environment, isMissing } from "@weir/base";
import type { KeyService } from "../key-service.ts";
import type { MasterKey } from "../master-key.ts";

/** Where age identities come from: the variables and the file that sops knows. */
export interface AgeSources {
  readonly environment: Environment;
  /** The folder for the configuration of users; undefined to look into none. */
  readonly configFolder: string | undefined;
}

/** A file with identities is small; this is far beyond any. */
const largestFile = 1024 * 1024;

const identityPattern = /^AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]+$/;

/** Decrypts data keys with age identities. They're read on each use, so a rotated key counts at once. */
export class AgeKeyService implements KeyService {
  readonly #sources: AgeSources;

  constructor(sources: AgeSources) {
    this.#sources = sources;
  }

  async decrypt(key: MasterKey, signal: AbortSignal): Promise<Uint8Array> {
    const identities = await readIdentities(this.#sources);
    signal.throwIfAborted();
    const { armor, Decrypter } = await import("age-encryption");
    const decrypter = new Decrypter();
    for (const identity of identities) {
      addIdentity(decrypter, identity);
    }
    try {
      return await decrypter.decrypt(armor.decode(key.encryptedDataKey));
    } catch (cause) {
      // The library's message could describe what it was given.
      throw new Error("no identity matched any of the recipients, or the data key is damaged", { cause });
    }
  }
}

function addIdentity(decrypter: { addIdentity(identity: string): void }, identity: string): void {
  try {
    decrypter.addIdentity(identity);
  } catch {
    throw new Error("failed to parse age identities: an identity is damaged");
  }
}

async function readIdentities({ environment, configFolder }: AgeSources): Promise<readonly string[]> {
  const texts = [
    environment["SOPS_AGE_KEY"],
    await readKeyFile(environment["SOPS_AGE_KEY_FILE"], true),
    await readKeyFile(configFolder && join(configFolder, "sops", "age", "keys.txt"), false),
  ];
  const lines = texts.flatMap((text) => text?.split("\n") ?? []).map((line) => line.trim());
  const identities = lines.filter((line) => line !== "" && !line.startsWith("#"));
  if (identities.some((line) => !identityPattern.test(line))) {
    throw new Error("failed to parse age identities: a line isn't an identity");
  }
  if (identities.length === 0) {
    throw new Error(
      "no age identity found; set SOPS_AGE_KEY or SOPS_AGE_KEY_FILE, or write it to sops/age/keys.txt in the configuration folder",
    );
  }
  return identities;
}

async function readKeyFile(path: string | undefined, isRequired: boolean): Promise<string | undefined> {
  if (path === undefined || path === "") {
    return undefined;
  }
  try {
    const content = await readFile(path, "utf8");
    return content.slice(0, largestFile);
  } catch (error) {
    if (!isRequired && isMissing(error)) {
      return undefined;
    }
    throw new Error(`failed to open the age key file: ${describeFileError("open", path, error)}`, {
      cause: error,
    });
  }
}

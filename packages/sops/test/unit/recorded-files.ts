import { readFileSync } from "node:fs";
import { join } from "node:path";
import { AgeKeyService, dispatchingKeyService, type Format, type KeyService } from "@weir/sops";

const fixtures = join(import.meta.dirname, "../fixtures");

/** A file that the real sops encrypted, and what the real sops made of it. */
export interface RecordedFile {
  readonly name: string;
  readonly format: Format;
  readonly encrypted: string;
  /** In base64; null if sops itself can't decrypt the file. */
  readonly plain: string | null;
  /** The shares of the data key that gpg decrypted, in the order of the file. */
  readonly shares: readonly { readonly fingerprint: string; readonly share: string }[];
}

/** All recorded files. */
export const recordedFiles: readonly RecordedFile[] = readFileSync(join(fixtures, "files.jsonl"), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as RecordedFile);

/** The recorded file with this name. */
export function recordedFile(name: string): RecordedFile {
  const file = recordedFiles.find((recorded) => recorded.name === name);
  if (file === undefined) {
    throw new Error(`no file is recorded as ${name}`);
  }
  return file;
}

/** The content of the recorded age key file. */
export const ageKeyFile = join(fixtures, "keys/age.txt");

/** The keys for which the recorded files are encrypted. Instead of decrypting OpenPGP, looks up what gpg did. */
export function keysOf({ shares }: RecordedFile): KeyService {
  return dispatchingKeyService({
    age: new AgeKeyService({ environment: { SOPS_AGE_KEY_FILE: ageKeyFile }, configFolder: undefined }),
    pgp: {
      decrypt: (key) => {
        const found = shares.find(({ fingerprint }) => key.type === "pgp" && fingerprint === key.fingerprint);
        return found === undefined
          ? Promise.reject(new Error("no secret key"))
          : Promise.resolve(Buffer.from(found.share, "base64"));
      },
    },
  });
}

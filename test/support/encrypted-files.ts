import { readFileSync } from "node:fs";
import { join } from "node:path";

const fixtures = join(import.meta.dirname, "../../packages/sops/test/fixtures");

interface RecordedFile {
  readonly name: string;
  readonly encrypted: string;
}

/** A file that the real sops encrypted, by its name among the recordings. */
export function encryptedFile(name: string): string {
  const lines = readFileSync(join(fixtures, "files.jsonl"), "utf8").trimEnd().split("\n");
  const file = lines
    .map((line) => JSON.parse(line) as RecordedFile)
    .find((recorded) => recorded.name === name);
  if (file === undefined) {
    throw new Error(`no file is recorded as ${name}`);
  }
  return file.encrypted;
}

/** The keys for which the recorded files are encrypted. */
export const sopsKeys = {
  age: join(fixtures, "keys/age.txt"),
  pgp: join(fixtures, "keys/rsa.asc"),
} as const;

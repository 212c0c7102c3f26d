import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram, TempFolder } from "@weir/testing";

/** An SSH key, as its two files hold it. */
export interface KeyPair {
  readonly privateKey: string;
  readonly publicKey: string;
}

/** Makes a key without a passphrase. */
export async function makeKeyPair(): Promise<KeyPair> {
  using folder = new TempFolder();
  const file = join(folder.path, "key");
  const args = ["-q", "-t", "ed25519", "-N", "", "-f", file];
  await promisify(execFile)(findProgram("ssh-keygen") ?? "ssh-keygen", args);
  return { privateKey: await readFile(file, "utf8"), publicKey: await readFile(`${file}.pub`, "utf8") };
}

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { decrypt, MetadataNotFoundError, pgpKeyService } from "@weir/sops";
import { runProgram } from "./run-program.ts";

/** Imports keys into a new GnuPG home, which all programs of this process use from then on, as Flux v1 does. */
export async function importKeys(paths: readonly string[]): Promise<void> {
  process.env["GNUPGHOME"] = mkdtempSync("/tmp/gpg-");
  for (const path of paths) {
    const names = statSync(path).isDirectory() ? readdirSync(path).filter((name) => !/^\./.test(name)) : [""];
    await runProgram("gpg", ["--batch", "--quiet", "--import", ...names.map((name) => join(path, name))]);
  }
}

/** What sops makes of a manifest with the keys of the real gpg; the manifest itself where it isn't encrypted. */
export async function decrypted(manifest: string): Promise<string> {
  const keys = pgpKeyService({
    decrypt: (input) => Promise.resolve(execFileSync("gpg", ["--batch", "--quiet", "--decrypt"], { input })),
  });
  try {
    const request = { bytes: Buffer.from(manifest), format: "yaml", keys } as const;
    return Buffer.from(await decrypt(request, new AbortController().signal)).toString();
  } catch (error) {
    if (error instanceof MetadataNotFoundError) {
      return manifest;
    }
    throw error;
  }
}

import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { isMissing } from "@weir/base";
import { GitSecretError } from "./errors.ts";

/** A key box of GnuPG without any keys has only this header, in bytes. */
const emptyKeyBox = 32;

/** Rejects with GitSecretError for a folder with which git-secret wouldn't do anything. `folder` is an absolute path. */
export async function checkSetup(folder: string): Promise<void> {
  const keys = join(folder, "keys");
  if ((await sizeOf(join(keys, "secring.gpg"))) > 0) {
    throw new GitSecretError("git-secret: abort: it seems that someone has imported a secret key.");
  }
  if (!(await isFolder(folder))) {
    throw new GitSecretError(
      `git-secret: abort: directory '${basename(folder)}' does not exist. Use 'git secret init' to initialize git-secret`,
    );
  }
  const hasTrust = (await sizeOf(join(keys, "trustdb.gpg"))) >= 0;
  if (!hasTrust || !(await hasKeys(keys))) {
    throw new GitSecretError(
      "git-secret: abort: no public keys for users found. run 'git secret tell email@address'.",
    );
  }
}

/** In the format of GnuPG 2.1 and later, or in the older one. */
async function hasKeys(keys: string): Promise<boolean> {
  const [box, ring] = await Promise.all(
    ["pubring.kbx", "pubring.gpg"].map((name) => sizeOf(join(keys, name))),
  );
  return (box ?? 0) > emptyKeyBox || (ring ?? 0) > 0;
}

async function isFolder(path: string): Promise<boolean> {
  return (await statOf(path))?.isDirectory() ?? false;
}

/** -1 if there's no such file. */
async function sizeOf(path: string): Promise<number> {
  const found = await statOf(path);
  return found?.isFile() === true ? found.size : -1;
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (isMissing(error)) {
      return undefined;
    }
    throw error;
  }
}

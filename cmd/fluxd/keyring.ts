import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { describeFileError, type Logger } from "@weir/base";
import { Keyring } from "@weir/openpgp";

/** No key of a `gpg --export-secret-keys` comes near it; a larger file is something else. */
const maxBytes = 16 * 1024 * 1024;

/**
 * A keyring with the keys of files and folders; folders aren't searched for other folders. As in Flux v1, keys that
 * can't be imported are only logged, and then missing when they're needed.
 */
export async function openKeyring(paths: readonly string[], logger: Logger): Promise<Keyring> {
  const keyring = new Keyring();
  for (const path of paths) {
    const error = `failed to import GPG key(s) from ${path}`;
    try {
      await importFiles(await filesAt(path), keyring, (err) => logger.log({ error, err }));
    } catch (failure) {
      logger.log({ error, err: describeFileError("stat", path, failure) });
    }
  }
  return keyring;
}

async function importFiles(
  files: readonly string[],
  keyring: Keyring,
  onFailure: (reason: string) => void,
): Promise<void> {
  for (const file of files) {
    try {
      const bytes = await readKeys(file);
      try {
        await keyring.import(bytes);
      } finally {
        bytes.fill(0);
      }
    } catch (error) {
      onFailure(`${basename(file)}: ${describeFileError("open", file, error)}`);
    }
  }
}

/** The file at the path, or the files in the folder, sorted by name. A mounted Secret has links to them. */
async function filesAt(path: string): Promise<readonly string[]> {
  if (!(await stat(path)).isDirectory()) {
    return [path];
  }
  const files: string[] = [];
  for (const file of (await readdir(path)).sort().map((name) => join(path, name))) {
    if ((await stat(file)).isFile()) {
      files.push(file);
    }
  }
  return files;
}

async function readKeys(file: string): Promise<Buffer> {
  const { size } = await stat(file);
  if (size > maxBytes) {
    throw new Error(`it's larger than ${maxBytes} bytes`);
  }
  return await readFile(file);
}

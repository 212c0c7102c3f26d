import { readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { describeFileError, type Logger } from "@weir/base";
import type { Keyring } from "@weir/openpgp";

/** Which keys to import, and how. */
export interface KeyImport {
  /** Files, and folders of files. */
  readonly paths: readonly string[];
  /** True to trust the keys, so that their signatures count. */
  readonly trusted: boolean;
  readonly logger: Logger;
}

/** What became of the files at one path. */
interface ImportedPath {
  readonly imported: readonly string[];
  /** The files that can't be imported, each with the reason. */
  readonly failed: readonly { readonly name: string; readonly reason: string }[];
  /** Why there are none. */
  readonly error?: string;
}

/** No key of a `gpg --export-secret-keys` comes near it; a larger file is something else. */
const maxBytes = 16 * 1024 * 1024;

/**
 * Imports the keys in files and folders into a keyring; folders aren't searched for other folders. Failures are only
 * logged. As in Flux v1, keys become trusted when everything at a path could be imported, and then so do all keys from
 * earlier paths. So if a file can't be imported, new commits with keys from the other files at that path aren't good.
 */
export async function importGpgKeys(
  keyring: Pick<Keyring, "import" | "trustAll">,
  { paths, trusted, logger }: KeyImport,
): Promise<void> {
  for (const path of paths) {
    const { imported, failed, error } = await importPath(path, keyring);
    if (error !== undefined) {
      logger.log({ error: `failed to import GPG key(s) from ${path}`, err: error });
    } else if (failed.length > 0) {
      const names = failed.map(({ name }) => name).join(" ");
      const reasons = failed.map(({ name, reason }) => `${name}: ${reason}`).join("; ");
      const err = `errored importing keys: [${names}]`;
      logger.log({ error: `failed to import GPG key(s) from ${path}`, err, reasons });
    } else if (trusted) {
      keyring.trustAll();
    }
    if (imported.length > 0) {
      logger.log({ info: `imported GPG key(s) from ${path}`, files: `[${imported.join(" ")}]` });
    } else if (error === undefined && failed.length === 0) {
      logger.log({ warning: `no files with GPG keys in ${path}` });
    }
  }
}

async function importPath(path: string, keyring: Pick<Keyring, "import">): Promise<ImportedPath> {
  const imported: string[] = [];
  const failed: { name: string; reason: string }[] = [];
  try {
    for (const file of await filesAt(path)) {
      const reason = await importFile(file, keyring);
      if (reason === undefined) {
        imported.push(basename(file));
      } else {
        failed.push({ name: basename(file), reason });
      }
    }
    return { imported, failed };
  } catch (error) {
    return { imported, failed, error: describeFileError("stat", path, error) };
  }
}

/** Resolves to the reason why a file can't be imported. */
async function importFile(file: string, keyring: Pick<Keyring, "import">): Promise<string | undefined> {
  try {
    const { size } = await stat(file);
    if (size > maxBytes) {
      return `it's larger than ${maxBytes} bytes`;
    }
    await keyring.import(await readFile(file));
    return undefined;
  } catch (error) {
    return describeFileError("open", file, error);
  }
}

/** The file at the path, or the files in the folder, sorted by name. A mounted Secret has links to them. */
async function filesAt(path: string): Promise<readonly string[]> {
  if (!(await stat(path)).isDirectory()) {
    return [path];
  }
  const names = (await readdir(path)).sort();
  const files: string[] = [];
  for (const file of names.map((name) => join(path, name))) {
    if (
      await stat(file).then(
        (found) => found.isFile(),
        () => false,
      )
    ) {
      files.push(file);
    }
  }
  return files;
}

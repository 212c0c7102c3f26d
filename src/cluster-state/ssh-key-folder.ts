import { mkdtemp, readdir, readFile, realpath, rename, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { exec } from "@weir/base/node";
import type { PublicSshKey } from "@weir/flux";
import { unusableKeygenDir } from "./ssh-key-errors.ts";
import { readPublicKey } from "./ssh-public-key.ts";

/** Options for ssh-keygen; the rest is left to its defaults. */
export interface KeygenOptions {
  readonly bits?: string;
  readonly type?: string;
  readonly format?: string;
}

/** A private key that was generated here, which doesn't mean that it's in use. */
export interface MadeKey {
  /** Its own folder. */
  readonly folder: string;
  readonly path: string;
  readonly bytes: Buffer;
}

/** A key that was just generated. */
export interface NewKey extends MadeKey {
  readonly publicKey: PublicSshKey;
}

/** Same as in Flux v1; the two dots hide them from programs that look at the files of a mounted Secret. */
const folderPrefix = "..weave-keygen";
const keyFile = "identity";

/** The folder where keys are generated, each in its own subfolder. A link points to the one in use. */
export class SshKeyFolder {
  /** The path of the link. */
  readonly path: string;
  readonly #dir: string;
  readonly #options: KeygenOptions;

  constructor(dir: string, name: string, options: KeygenOptions) {
    this.path = join(dir, name);
    this.#dir = dir;
    this.#options = options;
  }

  /** Generates a key; leaves nothing behind if that fails or is aborted. */
  async make(signal: AbortSignal): Promise<NewKey> {
    const folder = await this.#newFolder();
    const path = join(folder, keyFile);
    try {
      await exec("ssh-keygen", ["-q", "-N", "", "-f", path, ...argumentsOf(this.#options)], signal);
      return { folder, path, bytes: await readFile(path), publicKey: await readPublicKey(path, signal) };
    } catch (error) {
      await this.discard({ folder });
      throw error;
    }
  }

  /** Points the link to a key, atomically for all readers, and then removes the other keys. */
  async use({ folder, path }: MadeKey): Promise<void> {
    const link = join(folder, "tmp-identity");
    await rm(link, { force: true });
    await symlink(path, link);
    await rename(link, this.path);
    await this.#keepOnly(folder);
  }

  /** The keys in this folder, for example from a fluxd that ended before it could use its key. */
  async made(): Promise<readonly MadeKey[]> {
    const folders = await this.#folders();
    return Promise.all(
      folders.map(async (folder) => {
        const path = join(folder, keyFile);
        return { folder, path, bytes: await readFile(path).catch(() => Buffer.alloc(0)) };
      }),
    );
  }

  /** Removes all keys except the one that the link points to. */
  async removeUnused(): Promise<void> {
    const used = await realpath(this.path).catch(() => "");
    await this.#keepOnly(dirname(used));
  }

  /** Removes a key. If that fails, it's tried again with the next key. */
  async discard({ folder }: Pick<MadeKey, "folder">): Promise<void> {
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }

  async #newFolder(): Promise<string> {
    try {
      return await mkdtemp(join(this.#dir, folderPrefix));
    } catch (error) {
      throw unusableKeygenDir(this.#dir, error);
    }
  }

  async #keepOnly(kept: string): Promise<void> {
    const folders = await this.#folders();
    const real = await realpath(kept).catch(() => kept);
    await Promise.all(folders.filter((folder) => folder !== real).map((folder) => this.discard({ folder })));
  }

  async #folders(): Promise<readonly string[]> {
    const dir = await realpath(this.#dir).catch(() => this.#dir);
    const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
    return entries
      .filter((entry) => entry.isDirectory() && entry.name.startsWith(folderPrefix))
      .map(({ name }) => join(dir, name));
  }
}

function argumentsOf({ bits, type, format }: KeygenOptions): readonly string[] {
  return [
    ...(bits === undefined ? [] : ["-b", bits]),
    ...(type === undefined ? [] : ["-t", type]),
    ...(format === undefined ? [] : ["-m", format]),
  ];
}

import { mkdtemp, readdir, readFile, realpath, rename, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { exec } from "@weir/base/node";
import type { PublicSshKey } from "../cluster/cluster.ts";
import { readPublicKey } from "./ssh-public-key.ts";

/** What ssh-keygen is told; what it is not told is left to it. */
export interface KeygenOptions {
  readonly bits?: string;
  readonly type?: string;
  readonly format?: string;
}

/** A private key that was made here, and is not in use by that alone. */
export interface MadeKey {
  /** The folder of its own in which it lies. */
  readonly folder: string;
  readonly path: string;
  readonly bytes: Buffer;
}

/** One that was made just now. */
export interface NewKey extends MadeKey {
  readonly publicKey: PublicSshKey;
}

/** As Flux v1 calls them; two dots hide them from what looks at the files of a mounted Secret. */
const folderPrefix = "..weave-keygen";
const keyFile = "identity";

/** The folder in which keys are made. A link in it leads to the one in use; each lies in a folder of its own. */
export class SshKeyFolder {
  /** The link. */
  readonly path: string;
  readonly #dir: string;
  readonly #options: KeygenOptions;

  constructor(dir: string, name: string, options: KeygenOptions) {
    this.path = join(dir, name);
    this.#dir = dir;
    this.#options = options;
  }

  /** Makes a key; leaves nothing behind where that fails or is aborted. */
  async make(signal: AbortSignal): Promise<NewKey> {
    const folder = await mkdtemp(join(this.#dir, folderPrefix));
    const path = join(folder, keyFile);
    try {
      await exec("ssh-keygen", ["-q", "-N", "", "-f", path, ...argumentsOf(this.#options)], signal);
      return { folder, path, bytes: await readFile(path), publicKey: await readPublicKey(path, signal) };
    } catch (error) {
      await this.discard({ folder });
      throw error;
    }
  }

  /** Lets the link lead to a key, at once and for all who read it, and then removes the others. */
  async use({ folder, path }: MadeKey): Promise<void> {
    const link = join(folder, "tmp-identity");
    await rm(link, { force: true });
    await symlink(path, link);
    await rename(link, this.path);
    await this.#keepOnly(folder);
  }

  /** The keys that lie here, such as one of a fluxd that was ended before it used it. */
  async made(): Promise<readonly MadeKey[]> {
    const folders = await this.#folders();
    return Promise.all(
      folders.map(async (folder) => {
        const path = join(folder, keyFile);
        return { folder, path, bytes: await readFile(path).catch(() => Buffer.alloc(0)) };
      }),
    );
  }

  /** Removes all keys but the one that the link leads to. */
  async removeUnused(): Promise<void> {
    const used = await realpath(this.path).catch(() => "");
    await this.#keepOnly(dirname(used));
  }

  /** Removes a key; what cannot be removed now is tried again with the next. */
  async discard({ folder }: Pick<MadeKey, "folder">): Promise<void> {
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
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

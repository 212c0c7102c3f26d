import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gitSecretLimits } from "@weir/base";
import { DecryptionError } from "../../src/errors.ts";
import { type RevealedFile, type RevealLimits, reveal } from "../../src/reveal.ts";
import { gitSecretSettings } from "../../src/settings.ts";

/** The files of a work tree by path; a target after "-> " makes a link. */
export type Files = Readonly<Record<string, string>>;

/** What every repository with git-secret has. */
export const setUp: Files = {
  ".gitsecret/keys/trustdb.gpg": "",
  ".gitsecret/keys/pubring.gpg": "keys",
  ".gitsecret/paths/mapping.cfg": "",
};

/** A folder of its own with files, removed when it's disposed. */
export class WorkTree implements AsyncDisposable {
  readonly root: string;
  readonly #parent: string;

  private constructor(parent: string) {
    this.#parent = parent;
    this.root = join(parent, "r");
  }

  static async create(files: Files): Promise<WorkTree> {
    const tree = new WorkTree(await realpath(await mkdtemp(join(tmpdir(), "git-secret-"))));
    await mkdir(tree.root);
    await tree.write(files);
    return tree;
  }

  /** Paths may lead out of the root, but not out of its parent. */
  async write(files: Files): Promise<void> {
    for (const [path, content] of Object.entries(files)) {
      const place = join(this.root, path);
      await mkdir(dirname(place), { recursive: true });
      await (content.startsWith("-> ") ? symlink(content.slice(3), place) : writeFile(place, content));
    }
  }

  /** Reveals with a stand-in for OpenPGP: a message is "encrypted " and the content. */
  reveal(
    env: Readonly<Record<string, string>> = {},
    limits: RevealLimits = gitSecretLimits,
    signal: AbortSignal = AbortSignal.timeout(60_000),
  ): Promise<readonly RevealedFile[]> {
    const settings = gitSecretSettings(env);
    return reveal({ root: this.root, settings, decrypt: decryptStandIn, limits }, signal);
  }

  /** All files in the folder of the root and beside it, with their content. */
  async everything(): Promise<Files> {
    const entries = await readdir(this.#parent, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    const contents = files.map(async (file) => [file, await readFile(file, "utf8")] as const);
    return Object.fromEntries(await Promise.all(contents));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#parent, { recursive: true });
  }
}

async function decryptStandIn(message: Uint8Array): Promise<Uint8Array> {
  const [word = "", ...content] = Buffer.from(message).toString().split(" ");
  if (word !== "encrypted") {
    const failure = word === "foreign" ? "no-key" : word === "changed" ? "modified" : "malformed";
    throw new DecryptionError(failure, "told only as a cause");
  }
  return Promise.resolve(Buffer.from(content.join(" ")));
}

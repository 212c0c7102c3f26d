import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import {
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { gitSecretLimits } from "@weir/base";
import { lacks } from "@weir/testing";
import {
  type Decrypt,
  DecryptionError,
  GitSecretError,
  gitSecretSettings,
  reveal,
} from "../../../src/index.ts";

const run = promisify(execFile);

/** A repository that the real git-secret set up, whose files it hid. */
class RealRepository {
  readonly folder: string;
  readonly #env: Readonly<Record<string, string>>;

  private constructor(folder: string) {
    this.folder = folder;
    this.#env = {
      PATH: process.env["PATH"] ?? "",
      HOME: folder,
      GNUPGHOME: join(folder, "gnupg"),
      LC_ALL: "C",
    };
  }

  static async create(files: Readonly<Record<string, string>>): Promise<RealRepository> {
    const repository = new RealRepository(await realpath(await mkdtemp(join(tmpdir(), "real-git-secret-"))));
    await repository.#setUp(files);
    return repository;
  }

  get root(): string {
    return join(this.folder, "r");
  }

  async exec(program: string, ...args: readonly string[]): Promise<string> {
    const { stdout } = await run(program, args, { cwd: this.root, env: this.#env });
    return stdout;
  }

  /** Makes the work tree what it was after the files were hidden. */
  async reset(): Promise<void> {
    await this.exec("git", "clean", "-ffdxq");
    await this.exec("git", "reset", "--quiet", "--hard");
  }

  /** What the real one prints if it fails; "" if it doesn't. */
  async revealForReal(): Promise<string> {
    return await run("git", ["secret", "reveal", "-f"], { cwd: this.root, env: this.#env }).then(
      () => "",
      (error: unknown) => String((error as { stderr?: unknown }).stderr),
    );
  }

  /** What ours would print. */
  async reveal(): Promise<string> {
    const settings = gitSecretSettings({});
    const options = { root: this.root, settings, decrypt: this.#decrypt, limits: gitSecretLimits };
    try {
      await reveal(options, AbortSignal.timeout(60_000));
      return "";
    } catch (error) {
      assert.ok(error instanceof GitSecretError);
      return error.message;
    }
  }

  /** The work tree without what git and git-secret keep for themselves: modes, links, and content. */
  async snapshot(): Promise<Readonly<Record<string, string>>> {
    const names = await readdir(this.root, { recursive: true });
    const found = names.filter((name) => !/^\.git(secret)?(\/|$)|\.secret$/.test(name)).toSorted();
    const entries = found.map(async (name) => {
      const path = join(this.root, name);
      const { mode } = await lstat(path);
      const content = await readlink(path).catch(() => readFile(path, "utf8").catch(() => "a folder"));
      return [name, `${(mode & 0o7777).toString(8)} ${content}`] as const;
    });
    return Object.fromEntries(await Promise.all(entries));
  }

  async remove(): Promise<void> {
    await run("gpgconf", ["--kill", "all"], { env: this.#env }).catch(() => undefined);
    await rm(this.folder, { recursive: true });
  }

  async #setUp(files: Readonly<Record<string, string>>): Promise<void> {
    await mkdir(join(this.folder, "gnupg"), { mode: 0o700 });
    await mkdir(this.root);
    await this.exec("git", "init", "-q");
    const user = ["--quick-gen-key", "reader <reader@example.test>", "default", "default", "never"];
    await this.exec("gpg", "--batch", "--quiet", "--passphrase", "", ...user);
    await this.exec("git", "secret", "init");
    await this.exec("git", "secret", "tell", "reader@example.test");
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(this.root, path)), { recursive: true });
      await writeFile(join(this.root, path), content);
    }
    await this.exec("git", "secret", "add", ...Object.keys(files));
    await this.exec("git", "secret", "hide", "-d");
    await this.exec("git", "add", "--all");
    const who = ["-c", "user.name=t", "-c", "user.email=t@example.test"];
    await this.exec("git", ...who, "commit", "--quiet", "--message=hidden");
  }

  readonly #decrypt: Decrypt = async (message) => {
    const place = join(this.folder, "message");
    await writeFile(place, message);
    const options = { env: this.#env, encoding: "buffer" } as const;
    try {
      return (await run("gpg", ["--batch", "--quiet", "--decrypt", place], options)).stdout;
    } catch (error) {
      const said = String((error as { stderr?: unknown }).stderr);
      const failure = /No secret key/.test(said)
        ? "no-key"
        : /manipulated/.test(said)
          ? "modified"
          : "malformed";
      throw new DecryptionError(failure, said);
    }
  };
}

describe("the real git-secret", { skip: lacks("git-secret") || lacks("gpg") }, () => {
  let repository: RealRepository;
  const mapping = ".gitsecret/paths/mapping.cfg";

  before(async () => {
    repository = await RealRepository.create({
      "a.yaml": "one\n",
      "b/c/d e.yaml": "two\n",
      "b/binary": "\0\u0001\uffff",
      empty: "",
    });
  });
  after(() => repository.remove());

  const add = (text: string) => async (root: string) => {
    await writeFile(join(root, mapping), text + (await readFile(join(root, mapping), "utf8")));
  };
  const cases: Readonly<Record<string, (root: string) => Promise<unknown>>> = {
    "reveals files in folders, with blanks, and binary ones": () => Promise.resolve(),
    "replaces files": (root) => writeFile(join(root, "a.yaml"), "old", { mode: 0o700 }),
    "ignores wrong hashes": (root) => writeFile(join(root, mapping), "a.yaml:0000\n"),
    "ignores a last line without a line break": (root) => writeFile(join(root, mapping), "empty\na.yaml"),
    "reveals nothing for an empty list": (root) => writeFile(join(root, mapping), ""),
    "follows links": async (root) => {
      await run("ln", ["-s", "b/new.yaml", join(root, "a.yaml")]);
      await run("ln", ["-s", "a.yaml.secret", join(root, "l.secret")]);
      await add(" l\n")(root);
    },
    "cuts names at the first colon": async (root) => {
      await cp(join(root, "a.yaml.secret"), join(root, "x.secret"));
      await add("x:y.yaml:00\n")(root);
    },
    "reveals armored files": async (root) => {
      await rm(join(root, "a.yaml.secret"));
      await writeFile(join(root, "plain"), "armored\n");
      const out = ["--output", "a.yaml.secret", "--recipient", "reader@example.test"];
      await repository.exec(
        "gpg",
        "--batch",
        "--quiet",
        "--armor",
        "--trust-model=always",
        ...out,
        "--encrypt",
        "plain",
      );
    },
    "fails without the encrypted file": add("nope.yaml:\n"),
    "fails for an empty line": add("\n"),
    "fails for the name of an encrypted file": add("a.yaml.secret\n"),
    "fails for a file that isn't encrypted": (root) => writeFile(join(root, "a.yaml.secret"), "junk\n"),
    "fails for an empty file": (root) => writeFile(join(root, "a.yaml.secret"), ""),
    "fails for a folder in place of a file": (root) => mkdir(join(root, "a.yaml")),
    "fails for a foreign key": async (root) => {
      const other = ["--homedir", join(repository.folder, "other")];
      await mkdir(other[1] ?? "", { mode: 0o700, recursive: true });
      const user = ["--quick-gen-key", "other@example.test", "default", "default", "never"];
      await repository.exec("gpg", ...other, "--batch", "--quiet", "--passphrase", "", "--yes", ...user);
      await rm(join(root, "a.yaml.secret"));
      await writeFile(join(root, "plain"), "foreign\n");
      const out = ["--output", "a.yaml.secret", "--recipient", "other@example.test"];
      await repository.exec("gpg", ...other, "--batch", "--quiet", ...out, "--encrypt", "plain");
    },
    "fails for a changed file": async (root) => {
      const content = await readFile(join(root, "a.yaml.secret"));
      await writeFile(
        join(root, "a.yaml.secret"),
        content.with(content.length - 5, (content.at(-5) ?? 0) ^ 1),
      );
    },
    "fails without a folder": (root) => rm(join(root, ".gitsecret"), { recursive: true }),
    "fails without a trust database": (root) => rm(join(root, ".gitsecret/keys/trustdb.gpg")),
    "fails with a private key": (root) => writeFile(join(root, ".gitsecret/keys/secring.gpg"), "x"),
  };
  for (const [what, prepare] of Object.entries(cases)) {
    it(`${what}, and so do we`, async () => {
      await repository.reset();
      await prepare(repository.root);
      const said = await repository.revealForReal();
      const real = await repository.snapshot();

      await repository.reset();
      await prepare(repository.root);
      const ours = await repository.reveal();

      assert.equal(ours, said);
      assert.deepEqual(said === "" ? await repository.snapshot() : {}, said === "" ? real : {});
    });
  }
});

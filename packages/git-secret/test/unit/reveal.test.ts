import assert from "node:assert/strict";
import { chmod, mkdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { gitSecretLimits } from "@weir/base";
import { GitSecretError } from "../../src/errors.ts";
import { type Files, setUp, WorkTree } from "../support/work-tree.ts";

const mapping = ".gitsecret/paths/mapping.cfg";

function hiding(names: string, files: Files): Files {
  return { ...setUp, [mapping]: names, ...files };
}

describe("revealing", () => {
  it("writes each hidden file beside its encrypted form", async () => {
    const files = { "a.yaml.secret": "encrypted one", "b/c d.yaml.secret": "encrypted two words" };
    await using tree = await WorkTree.create(hiding("a.yaml:00\nb/c d.yaml\n", files));

    const revealed = await tree.reveal();

    assert.deepEqual(
      revealed.map(({ path }) => path),
      ["a.yaml", "b/c d.yaml"],
    );
    assert.equal(await readFile(join(tree.root, "a.yaml"), "utf8"), "one");
    assert.equal(await readFile(join(tree.root, "b/c d.yaml"), "utf8"), "two words");
  });

  it("tells what git would: the mode, and the ID of the content", async () => {
    await using tree = await WorkTree.create(hiding("a\n", { "a.secret": "encrypted hello\n" }));

    assert.deepEqual(await tree.reveal(), [
      { path: "a", mode: "100644", id: "ce013625030ba8dba906f756967f9e9ca394464a" },
    ]);
  });

  it("leaves files alone that aren't listed", async () => {
    await using tree = await WorkTree.create(hiding("", { "a.secret": "encrypted one" }));

    assert.deepEqual(await tree.reveal(), []);
    await assert.rejects(stat(join(tree.root, "a")), { code: "ENOENT" });
  });

  it("replaces an existing file and keeps its mode", async () => {
    await using tree = await WorkTree.create(hiding("a\n", { "a.secret": "encrypted new", a: "old" }));
    await chmod(join(tree.root, "a"), 0o750);

    const [file] = await tree.reveal();

    assert.equal(file?.mode, "100755");
    assert.equal(await readFile(join(tree.root, "a"), "utf8"), "new");
    assert.equal((await stat(join(tree.root, "a"))).mode & 0o777, 0o750);
  });

  it("uses another folder and extension if the environment says so", async () => {
    const files = { "hid/keys/trustdb.gpg": "", "hid/keys/pubring.gpg": "k", "hid/paths/mapping.cfg": "a\n" };
    await using tree = await WorkTree.create({ ...files, "a.gpg": "encrypted one" });

    await tree.reveal({ SECRETS_DIR: "hid", SECRETS_EXTENSION: ".gpg" });

    assert.equal(await readFile(join(tree.root, "a"), "utf8"), "one");
  });

  it("can be aborted", async () => {
    await using tree = await WorkTree.create(hiding("a\n", { "a.secret": "encrypted one" }));

    await assert.rejects(
      tree.reveal({}, gitSecretLimits, AbortSignal.abort(new Error("stop"))),
      /^Error: stop$/,
    );
  });
});

describe("through links", () => {
  it("the file that a link leads to is written, even if it doesn't exist yet", async () => {
    const links = { "a.yaml": "-> b/there.yaml", "b/old.yaml": "x", "c.yaml": "-> b/old.yaml" };
    const files = { "a.yaml.secret": "encrypted one", "c.yaml.secret": "-> a.yaml.secret", ...links };
    await using tree = await WorkTree.create(hiding("a.yaml\nc.yaml\n", files));

    const revealed = await tree.reveal();

    assert.deepEqual(
      revealed.map(({ path }) => path),
      ["b/there.yaml", "b/old.yaml"],
    );
    assert.equal(await readFile(join(tree.root, "b/there.yaml"), "utf8"), "one");
    assert.equal(await readFile(join(tree.root, "b/old.yaml"), "utf8"), "one");
  });
});

describe("nothing outside the repository, or in git's folder, is", () => {
  const encrypted = "encrypted evil";
  const cases: Readonly<Record<string, Files>> = {
    "written by a name with ..": hiding("../a\n", { "../a.secret": encrypted }),
    "written by a deeper name with ..": hiding("b/../../a\n", { "../a.secret": encrypted, "b/x": "" }),
    "written through a link": hiding("a\n", { "a.secret": encrypted, a: "-> ../a", "../a": "kept" }),
    "written through a link to nothing": hiding("a\n", { "a.secret": encrypted, a: "-> ../new" }),
    "written through two links": hiding("a\n", { "a.secret": encrypted, a: "-> b", b: "-> ../new" }),
    "written through a folder that's a link": hiding("b/a\n", {
      "../out/a.secret": encrypted,
      b: "-> ../out",
    }),
    "written through an absolute link": hiding("a\n", {
      "a.secret": encrypted,
      a: "-> /tmp/weir-git-secret-evil",
    }),
    "read through a link": hiding("a\n", { "a.secret": "-> ../a.secret", "../a.secret": encrypted }),
    "written into .git": hiding(".git/config\n", { ".git/config.secret": encrypted, ".git/config": "kept" }),
    "written into .git with capitals": hiding(".GIT/hooks/x\n", { ".GIT/hooks/x.secret": encrypted }),
    "written into .git through a link": hiding("a\n", {
      "a.secret": encrypted,
      a: "-> .git/config",
      ".git/config": "",
    }),
    "written by a loop of links": hiding("a\n", { "a.secret": encrypted, a: "-> b", b: "-> a" }),
    "listed by a mapping that is a link": {
      ...setUp,
      [mapping]: "",
      "../mapping.cfg": "a\n",
      "a.secret": encrypted,
      ".gitsecret2/paths/mapping.cfg": "-> ../../../mapping.cfg",
      ".gitsecret2/keys/trustdb.gpg": "",
      ".gitsecret2/keys/pubring.gpg": "k",
    },
  };
  for (const [what, files] of Object.entries(cases)) {
    it(what, async () => {
      await using tree = await WorkTree.create(files);
      const env = what.startsWith("listed") ? { SECRETS_DIR: ".gitsecret2" } : {};
      const before = await tree.everything();

      await assert.rejects(tree.reveal(env), (error) => {
        assert.ok(error instanceof GitSecretError);
        assert.match(
          error.message,
          /^git-secret: abort: refusing to (read|write) file "[^"]+": it('s| leads)/,
        );
        return true;
      });
      assert.deepEqual(await tree.everything(), before);
    });
  }
});

/** What git-secret 0.5.0 with GnuPG 2.2 prints; @ stands for the root. */
describe("what keeps a file from being revealed is told as by git-secret:", () => {
  const atA = "git-secret: abort: problem decrypting file with gpg: exit code 2: @/a\n";
  const noUsers = "git-secret: abort: no public keys for users found. run 'git secret tell email@address'.\n";
  const cases: Readonly<Record<string, readonly [files: Files, message: string]>> = {
    "no folder": [
      {},
      "git-secret: abort: directory '.gitsecret' does not exist. Use 'git secret init' to initialize git-secret\n",
    ],
    "no trust database": [{ ".gitsecret/keys/pubring.gpg": "k", [mapping]: "" }, noUsers],
    "no keys": [{ ".gitsecret/keys/trustdb.gpg": "", [mapping]: "" }, noUsers],
    "an empty key box": [
      { ".gitsecret/keys/trustdb.gpg": "", ".gitsecret/keys/pubring.kbx": "x".repeat(32), [mapping]: "" },
      noUsers,
    ],
    "a private key": [
      { ...setUp, ".gitsecret/keys/secring.gpg": "x" },
      "git-secret: abort: it seems that someone has imported a secret key.\n",
    ],
    "a missing file": [hiding("a\n", {}), "git-secret: abort: cannot find file to decrypt: @/a.secret\n"],
    "an empty line": [hiding("\n", {}), "git-secret: abort: cannot find file to decrypt: @.secret\n"],
    "a folder in place of the encrypted file": [
      hiding("a\n", { "a.secret/x": "" }),
      "git-secret: abort: cannot find file to decrypt: @/a.secret\n",
    ],
    "a folder in place of the file": [
      hiding("a\n", { "a.secret": "encrypted x", "a/b": "" }),
      `gpg: error creating '@/a': Is a directory\ngpg: handle plaintext failed: Is a directory\n${atA}`,
    ],
    "an encrypted name": [
      hiding("a.secret\n", { "a.secret": "encrypted x" }),
      "git-secret: abort: cannot decrypt to secret version of file: a.secret\n",
    ],
    "a foreign key": [
      hiding("a\n", { "a.secret": "foreign" }),
      `gpg: decryption failed: No secret key\n${atA}`,
    ],
    "a changed message": [
      hiding("a\n", { "a.secret": "changed" }),
      `gpg: WARNING: encrypted message has been manipulated!\n${atA}`,
    ],
    "no message": [
      hiding("a\n", { "a.secret": "junk" }),
      `gpg: no valid OpenPGP data found.\ngpg: decrypt_message failed: Unknown system error\n${atA}`,
    ],
    "an empty file": [
      hiding("a\n", { "a.secret": "" }),
      `gpg: decrypt_message failed: Unknown system error\n${atA}`,
    ],
  };
  for (const [what, [files, message]] of Object.entries(cases)) {
    it(what, async () => {
      await using tree = await WorkTree.create(files);

      await assert.rejects(tree.reveal(), (error) => {
        assert.ok(error instanceof GitSecretError);
        assert.equal(
          error.message,
          message.replaceAll("@", tree.root).replace(`email${tree.root}address`, "email@address"),
        );
        return true;
      });
    });
  }

  it("a missing list", async () => {
    await using tree = await WorkTree.create({
      ".gitsecret/keys/trustdb.gpg": "",
      ".gitsecret/keys/pubring.gpg": "k",
    });

    await assert.rejects(tree.reveal(), /cannot open .*mapping\.cfg: No such file or directory/);
  });

  it("files after the first one that fails stay hidden", async () => {
    const files = { "b.secret": "encrypted x" };
    await using tree = await WorkTree.create(hiding("a\nb\n", files));

    await assert.rejects(tree.reveal(), /a\.secret/);
    await assert.rejects(stat(join(tree.root, "b")), { code: "ENOENT" });
  });
});

describe("too much is refused:", () => {
  const files = hiding("a\nb\n", { "a.secret": "encrypted 12345", "b.secret": "encrypted 12345" });
  for (const [limit, most] of [
    ["mapping", 3],
    ["files", 1],
    ["encrypted", 14],
    ["revealed", 9],
  ] as const) {
    it(limit, async () => {
      await using tree = await WorkTree.create(files);

      await assert.rejects(tree.reveal({}, { ...gitSecretLimits, [limit]: most }), /exceeds the limit/);
    });
  }
});

it("a folder named like the list isn't one", async () => {
  await using tree = await WorkTree.create({ ...setUp, [mapping]: "" });
  await mkdir(join(tree.root, "other/paths/mapping.cfg"), { recursive: true });
  await tree.write({ "other/keys/trustdb.gpg": "", "other/keys/pubring.gpg": "k" });

  await assert.rejects(tree.reveal({ SECRETS_DIR: "other" }), /cannot open/);
});

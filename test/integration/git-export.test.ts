import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { appendFile, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { fc, runs } from "@weir/testing/property";
import { pushTree, writeBlob, writeTree } from "../support/git-objects.ts";
import { GitRig, soon, upstreamWith } from "../support/git-rig.ts";
import type { TestRepository } from "../support/repository.ts";

const run = promisify(execFile);

describe("an export", () => {
  it("holds the files of a revision, and git can be asked in it", async () => {
    await using upstream = await upstreamWith({ "a.yaml": "a: 1\n", "sub/b.yaml": "b: 1\n" });
    await upstream.upstream("tag", "v1", "master");
    await using rig = await GitRig.ready(upstream.url, { readonly: true });
    const revision = await rig.freshHead();

    await using exported = await rig.repository.export(revision, soon());

    assert.equal(exported.revision, revision);
    assert.equal(dirname(exported.dir), rig.tempDir);
    assert.equal(await readFile(join(exported.dir, "sub", "b.yaml"), "utf8"), "b: 1\n");
    const { stdout } = await run("git", ["describe", "--tags", "HEAD"], { cwd: exported.dir });
    assert.equal(stdout, "v1\n");
  });

  it("of a commit that is not known fails and leaves nothing", async () => {
    await using upstream = await upstreamWith();
    await using rig = await GitRig.ready(upstream.url, { readonly: true });

    await assert.rejects(rig.repository.export("f".repeat(40), soon()), { name: "GitError" });
    await assert.rejects(rig.repository.export("--help", soon()), { name: "RefusedError" });

    assert.deepEqual(await rig.folders(), ["flux-gitclone", "flux-owner"]);
  });

  it("goes on from the last one: what did not change is not written again", async () => {
    await using upstream = await upstreamWith({ "a.yaml": "a: 1\n", "same.yaml": "s: 1\n" });
    await using rig = await GitRig.ready(upstream.url, { readonly: true });
    const first = await rig.repository.export(await rig.freshHead(), soon());
    const { ino, mtimeMs } = await stat(join(first.dir, "same.yaml"));
    await first[Symbol.asyncDispose]();
    await upstream.push({ "a.yaml": "a: 2\n" }, "two");

    await using second = await rig.repository.export(await rig.freshHead(), soon());

    assert.equal(second.dir, first.dir);
    assert.equal(await readFile(join(second.dir, "a.yaml"), "utf8"), "a: 2\n");
    const after = await stat(join(second.dir, "same.yaml"));
    assert.deepEqual([after.ino, after.mtimeMs], [ino, mtimeMs]);
    const { stdout } = await run("git", ["status", "--porcelain", "--branch"], { cwd: second.dir });
    assert.equal(stdout, "## HEAD (no branch)\n");
  });

  it("goes on where a name is no UTF-8, and lists each by itself", async () => {
    await using upstream = await upstreamWith({ "a.yaml": "a: 1\n" });
    await using rig = await GitRig.ready(upstream.url, { readonly: true });
    await (await rig.repository.export(await rig.freshHead(), soon()))[Symbol.asyncDispose]();
    const id = await writeBlob(upstream, "b: 1\n");
    const items = ["\xfe.yaml", "\xff.yaml"].map(
      (name) => ({ mode: "100644", name: Buffer.from(name, "latin1"), id }) as const,
    );
    const revision = await pushTree(upstream, await writeTree(upstream, items));
    await rig.freshHead();

    await using exported = await rig.repository.export(revision, soon());

    const names = await readdir(exported.dir, { encoding: "buffer" });
    assert.deepEqual(names.map((name) => name.toString("latin1")).sort(), [".git", "\xfe.yaml", "\xff.yaml"]);
    const listed = await rig.repository.treeEntries(revision, soon());
    assert.deepEqual(
      listed.map(({ path }) => path),
      ["\\xfe.yaml", "\\xff.yaml"],
    );
  });

  it("of a name with a NUL in it is refused in plain words", async () => {
    await using upstream = await upstreamWith();
    await using rig = await GitRig.ready(upstream.url, { readonly: true });

    await assert.rejects(rig.repository.revision("a\0b", soon()), {
      name: "RefusedError",
      message: `"a\\u0000b" isn't allowed: it contains a NUL`,
    });
  });

  it("that is in use is not disturbed by another one", async () => {
    await using upstream = await upstreamWith({ "a.yaml": "a: 1\n" });
    await using rig = await GitRig.ready(upstream.url, { readonly: true });
    await using first = await rig.repository.export(await rig.freshHead(), soon());
    await upstream.push({ "a.yaml": "a: 2\n" }, "two");

    await using second = await rig.repository.export(await rig.freshHead(), soon());

    assert.equal(await readFile(join(first.dir, "a.yaml"), "utf8"), "a: 1\n");
    assert.equal(await readFile(join(second.dir, "a.yaml"), "utf8"), "a: 2\n");
  });

  it("that may be written to is made anew and gone afterwards", async () => {
    await using upstream = await upstreamWith({ "a.yaml": "a: 1\n" });
    await using rig = await GitRig.ready(upstream.url, { readonly: true });
    const head = await rig.freshHead();
    const readOnly = await rig.repository.export(head, soon());
    await readOnly[Symbol.asyncDispose]();
    {
      await using writable = await rig.repository.export(head, soon(), { writable: true });
      await writeFile(join(writable.dir, "generated.yaml"), "g: 1\n");
      assert.notEqual(writable.dir, readOnly.dir);
    }

    await using next = await rig.repository.export(head, soon());

    assert.deepEqual(await readdir(next.dir), [".git", "a.yaml"]);
    assert.deepEqual(await rig.folders(), ["flux-gitclone", "flux-owner", "flux-working"]);
  });

  it("is made anew where the kept folder was tampered with", async () => {
    await using upstream = await upstreamWith({ "a.yaml": "a: 1\n" });
    await using rig = await GitRig.ready(upstream.url, { readonly: true });
    const first = await rig.repository.export(await rig.freshHead(), soon());
    await rm(join(first.dir, ".git"), { recursive: true });
    await first[Symbol.asyncDispose]();
    await upstream.push({ "a.yaml": "a: 2\n" }, "two");

    await using second = await rig.repository.export(await rig.freshHead(), soon());

    assert.notEqual(second.dir, first.dir);
    assert.equal(await readFile(join(second.dir, "a.yaml"), "utf8"), "a: 2\n");
  });

  it("is what a clone is, whatever changed in between: files, folders, links, modes", async () => {
    await using upstream = await upstreamWith({ "keep.yaml": "k: 1\n" });
    await using rig = await GitRig.ready(upstream.url, { readonly: true });
    const tree = fc.dictionary(
      fc.constantFrom("a", "b", "a/b", "a/c", "b/x y", "é", "[a]", ":(top)", "#c", "-d", "b/ "),
      fc.oneof(
        fc
          .constantFrom("file one\n", "file two\n", "crlf\r\n")
          .map((text) => ({ kind: "file", text }) as const),
        fc.constantFrom("keep.yaml", "/etc", "..").map((text) => ({ kind: "link", text }) as const),
        fc.constant({ kind: "program", text: "#!/bin/sh\n" } as const),
      ),
    );

    await fc.assert(
      fc.asyncProperty(fc.array(tree, { minLength: 2, maxLength: 4 }), async (trees) => {
        for (const files of trees) {
          await makeTree(upstream, files);
          await using exported = await rig.repository.export(await rig.freshHead(), soon());
          await run("diff", ["-r", "--no-dereference", "-x", ".git", upstream.workTree, exported.dir]);
          const { stdout } = await run("git", ["status", "--porcelain"], { cwd: exported.dir });
          assert.equal(stdout, "");
        }
      }),
      runs(12),
    );
  });
});

describe("the tree of a revision", () => {
  it("is listed with ids of its contents", async () => {
    await using upstream = await upstreamWith({
      "a.yaml": "a: 1\n",
      "gone.yaml": "same\n",
      "sub/same.yaml": "same\n",
    });
    await using rig = await GitRig.ready(upstream.url, { readonly: true });
    const head = await rig.freshHead();
    const id = async (path: string): Promise<string> => upstream.upstream("rev-parse", `${head}:${path}`);

    const entries = await rig.repository.treeEntries(head, soon());

    const same = await id("gone.yaml");
    const file = (path: string, blob: string) => ({ path, mode: "100644", id: blob, size: 5 });
    assert.deepEqual(entries, [
      file("a.yaml", await id("a.yaml")),
      file("gone.yaml", same),
      file("sub/same.yaml", same),
    ]);
  });
});

describe("commits", () => {
  it("are listed newest first, by range, by path and up to any name of one", async () => {
    await using upstream = await upstreamWith({ "app/a.yaml": "a: 1\n" });
    await using rig = await GitRig.ready(upstream.url, { readonly: true });
    const one = await rig.freshHead();
    const two = await upstream.push({ "other/b.yaml": "b: 1\n" }, "other | thing\n\nbody");
    const three = await upstream.push({ "app/a.yaml": "a: 2\n" }, "app");
    await rig.repository.refresh(soon());
    const list = (from: string, to: string, paths: readonly string[]) =>
      rig.repository.commitsBetween(from, to, paths, soon());

    assert.deepEqual(await list(one, three, []), [
      { revision: three, message: "app" },
      { revision: two, message: "other | thing" },
    ]);
    assert.deepEqual(await list(one, "HEAD", ["app"]), [{ revision: three, message: "app" }]);
    assert.deepEqual(await list(three, "master", []), []);
    assert.deepEqual(await rig.repository.commitsBefore("master", ["other"], soon()), [
      { revision: two, message: "other | thing" },
    ]);
    assert.equal(await rig.repository.revision(three.slice(0, 7), soon()), three);
    await assert.rejects(list(one, "nope", []), {
      message: /^fatal: bad revision '[0-9a-f]{40}\.\.nope', full output:\n fatal: bad revision /,
    });
    await assert.rejects(list("--output=/tmp/x", "HEAD", []), { name: "RefusedError" });
  });
});

type Files = Readonly<Record<string, Readonly<{ kind: "file" | "link" | "program"; text: string }>>>;

/** Makes the next commit hold just these files, those that fit: no file is a folder as well. */
async function makeTree(upstream: TestRepository, files: Files): Promise<void> {
  for (const name of await readdir(upstream.workTree)) {
    if (name !== ".git") {
      await rm(join(upstream.workTree, name), { recursive: true });
    }
  }
  await appendFile(join(upstream.workTree, "keep.yaml"), "k: 1\n");
  for (const [path, { kind, text }] of Object.entries(files)) {
    const file = join(upstream.workTree, path);
    const parentIsFile = dirname(path) !== "." && files[dirname(path)] !== undefined;
    if (!parentIsFile) {
      await mkdir(dirname(file), { recursive: true });
      await (kind === "link"
        ? symlink(text, file)
        : writeFile(file, text, { mode: kind === "program" ? 0o755 : 0o644 }));
    }
  }
  await upstream.push({}, "another tree");
}

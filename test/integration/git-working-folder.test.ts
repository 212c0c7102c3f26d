import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync, symlinkSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { TempFolder } from "@weir/testing";
import { WorkingFolder } from "../../src/git/working-folder.ts";
import { TestRepository } from "../support/repository.ts";

const never = new AbortController().signal;
const env = { PATH: process.env["PATH"], GIT_CONFIG_NOSYSTEM: "1" };

/** The files below a folder, without git's own. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .filter((path) => !path.startsWith(".git/"))
    .sort();
}

function git(cwd: string, ...args: readonly string[]): string {
  return execFileSync("git", args, { cwd, env, encoding: "utf8" }).trim();
}

describe("a working folder", () => {
  it("is copied as it is: with uncommitted files, without ignored and deleted ones, and links as links", async () => {
    using folder = new TempFolder();
    await using repository = await TestRepository.create({
      ".gitignore": "ignored*\n",
      "changed.yaml": "before",
      "deleted.yaml": "",
      "sub/-dash 'ü.yaml": "",
    });
    const dir = repository.workTree;
    await writeFile(join(dir, "changed.yaml"), "after");
    await writeFile(join(dir, "ignored.yaml"), "");
    await writeFile(join(dir, "new.yaml"), "");
    await rm(join(dir, "deleted.yaml"));
    symlinkSync("/etc/passwd", join(dir, "link.yaml"));
    const before = git(dir, "status", "--porcelain");

    await (await WorkingFolder.open({ dir, env })).copyTo(folder.path, never);

    assert.deepEqual(filesIn(folder.path), [
      ".gitignore",
      "changed.yaml",
      "link.yaml",
      "new.yaml",
      "sub/-dash 'ü.yaml",
    ]);
    assert.equal(readFileSync(join(folder.path, "changed.yaml"), "utf8"), "after");
    assert.equal(readlinkSync(join(folder.path, "link.yaml")), "/etc/passwd");
    assert.equal(git(dir, "status", "--porcelain"), before);
  });

  it("can be a part of a clone, and is compared with the same part of a commit", async () => {
    using folder = new TempFolder();
    await using repository = await TestRepository.create({ "deploy/a.yaml": "one", "other/b.yaml": "" });
    const dir = join(repository.workTree, "deploy");
    await writeFile(join(dir, "a.yaml"), "two");
    const [copy, exported] = [join(folder.path, "copy"), join(folder.path, "exported")];
    await mkdir(copy);
    await mkdir(exported);
    const working = await WorkingFolder.open({ dir, env });

    await working.copyTo(copy, never);
    const commit = (await working.commit("master", never)) ?? "";
    const root = await working.exportTo(exported, commit, never);

    assert.deepEqual(filesIn(copy), ["a.yaml"]);
    assert.deepEqual(filesIn(root), ["a.yaml"]);
    assert.equal(readFileSync(join(root, "a.yaml"), "utf8"), "one");
    assert.equal(git(repository.workTree, "status", "--porcelain"), "M deploy/a.yaml");
  });

  it("exports commits from shallow clones and from worktrees", async () => {
    using folder = new TempFolder();
    await using repository = await TestRepository.create({ "a.yaml": "one" });
    await repository.push({ "a.yaml": "two" }, "second");
    const shallow = join(folder.path, "shallow");
    git(folder.path, "clone", "--quiet", "--depth=1", repository.url, shallow);
    const worktree = join(folder.path, "worktree");
    git(shallow, "worktree", "add", "--quiet", "--detach", worktree);

    for (const [index, dir] of [shallow, worktree].entries()) {
      const to = join(folder.path, String(index));
      await mkdir(to);
      const working = await WorkingFolder.open({ dir, env });
      const commit = (await working.commit("origin/master", never)) ?? "";
      const root = await working.exportTo(to, commit, never);
      assert.equal(readFileSync(join(root, "a.yaml"), "utf8"), "two");
    }
  });

  it("knows no commit by a name that's none, or that looks like an option", async () => {
    await using repository = await TestRepository.create({ "a.yaml": "" });
    const working = await WorkingFolder.open({ dir: repository.workTree, env });

    assert.equal(await working.commit("nope", never), undefined);
    assert.equal(await working.commit("--all", never), undefined);
  });

  it("needn't be in a clone", async () => {
    using folder = new TempFolder();
    folder.write("from/a.yaml", "");
    folder.write("from/sub/b.yaml", "");
    const to = join(folder.path, "to");
    await mkdir(to);
    const working = await WorkingFolder.open({ dir: join(folder.path, "from"), env });

    await working.copyTo(to, never);

    assert.deepEqual(filesIn(to), ["a.yaml", "sub/b.yaml"]);
    assert.equal(await working.commit("master", never), undefined);
  });
});

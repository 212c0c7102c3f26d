import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";

const root = join(import.meta.dirname, "..", "..");

interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

describe("npm run release", () => {
  let folder = "";
  let clone = "";

  const git = (...args: readonly string[]): string => {
    const identity = ["-c", "user.name=Weir", "-c", "user.email=weir@example.com"];
    return execFileSync("git", ["-C", clone, ...identity, ...args], { encoding: "utf8" });
  };

  const release = (...args: readonly string[]): Promise<Result> =>
    new Promise((resolve) => {
      const script = join(clone, "scripts", "release.ts");
      execFile(process.execPath, [script, ...args], { cwd: clone }, (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr });
      });
    });

  before(() => {
    // On the same file system as the installed packages, which are linked.
    mkdirSync(join(root, "dist"), { recursive: true });
    folder = mkdtempSync(join(root, "dist", "test-release-"));
    clone = join(folder, "weir");
    execFileSync("git", ["clone", "--quiet", "--shared", root, clone]);
    execFileSync("cp", ["--archive", "--link", join(root, "node_modules"), join(clone, "node_modules")]);
  });

  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it("says how it's called", async () => {
    const missing = await release();
    const wrong = await release("--version", "1.0.0", "--force");
    const help = await release("--help");

    assert.equal(missing.code, 2);
    assert.match(missing.stderr, /^Error: --version is missing\n\nUsage: npm run release -- --version X\n/);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /^Error: Unknown option '--force'/);
    assert.equal(help.code, 0);
    assert.match(help.stderr, /^Usage: /);
  });

  it("refuses a tree with changes, and a version that has a tag", async () => {
    writeFileSync(join(clone, "notes.txt"), "not committed");
    git("tag", "v7.0.0");
    const refused = await release("--version", "7.0.0");
    rmSync(join(clone, "notes.txt"));
    git("tag", "--delete", "v7.0.0");

    assert.deepEqual(refused, {
      code: 1,
      stdout: "",
      stderr:
        "Error: the working tree differs from the commit: notes.txt; commit or remove these changes first\n" +
        "Error: 7.0.0 exists: git has the tag v7.0.0; choose another version\n",
    });
  });

  it("refuses a commit that fails a check, ends what it has begun, and leaves nothing behind", async () => {
    appendFileSync(
      join(clone, "packages", "base", "src", "version.ts"),
      "\n\n\nexport  const   unformatted = 1\n",
    );
    git("commit", "--quiet", "--all", "--message=Not formatted");

    const refused = await release("--version", "7.0.0");

    assert.equal(refused.code, 1, refused.stderr);
    assert.equal(refused.stdout, "");
    assert.match(refused.stderr, /packages\/base\/src\/version\.ts/);
    assert.match(
      refused.stderr,
      /^Error: the check "format" failed, as printed above; nothing was released$/m,
    );
    assert.deepEqual(readdirSync(join(clone, "dist", "release")), []);
    assert.equal(git("status", "--porcelain"), "");
  });
});

import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
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

  it("says at its end what it made, and refuses to make the same version again", async () => {
    const checks = join(clone, "dev", "release", "checks.ts");
    writeFileSync(checks, readFileSync(checks, "utf8").replace(/ = \["format", .*\]/, ' = ["format"]'));
    writeFileSync(join(clone, "dev", "release", "steps.ts"), smallSteps);
    git("commit", "--quiet", "--all", "--message=Release less");

    const made = await release("--version", "7.0.0");
    const again = await release("--version", "7.0.0");
    git("reset", "--quiet", "--hard", "HEAD~1");

    const out = join(clone, "dist", "release", "7.0.0");
    assert.equal(made.code, 0, made.stderr);
    const [title, ...files] = made.stdout.trimEnd().split("\n");
    assert.equal(title, "Made 3 files in dist/release/7.0.0:");
    assert.deepEqual(
      files.map((line) => line.trim().split("  ")[1]),
      ["bin/fluxctl", "release-notes.md", "version.txt"],
    );
    assert.equal(readFileSync(join(out, "version.txt"), "utf8"), `7.0.0 ${git("rev-parse", "HEAD@{1}")}`);
    assert.match(readFileSync(join(out, "release-notes.md"), "utf8"), /^### /m);
    assert.match(made.stderr, /^release: checking format$[^]*^release: part: done \(\d+ s\)$/m);
    assert.deepEqual(readdirSync(join(clone, "dist", "release")), ["7.0.0"]);
    assert.deepEqual([again.code, again.stdout], [1, ""]);
    assert.match(again.stderr, /^Error: 7\.0\.0 exists in dist\/release\/7\.0\.0; remove that folder/);
    rmSync(out, { recursive: true });
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

/** So that the test takes seconds. */
const smallSteps = `import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ReleaseStep } from "./context.ts";

export interface NamedStep {
  readonly name: string;
  readonly step: ReleaseStep;
}

const part: ReleaseStep = ({ out }) => {
  mkdirSync(join(out, "bin"));
  writeFileSync(join(out, "bin", "fluxctl"), "a program");
  return Promise.resolve([join(out, "bin", "fluxctl")]);
};

const last: ReleaseStep = ({ root, out, commit }) => {
  const { version: built } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly version: string;
  };
  writeFileSync(join(out, "version.txt"), \`\${built} \${commit}\\n\`);
  return Promise.resolve([join(out, "version.txt")]);
};

export const stepsOfParts: readonly NamedStep[] = [{ name: "part", step: part }];
export const finalSteps: readonly NamedStep[] = [{ name: "last", step: last }];
`;

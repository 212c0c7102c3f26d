import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { TempFolder } from "@weir/testing";
import { setVersion, versionOf } from "../../../scripts/release/set-version.ts";
import { lockWithVersion, versionFiles, withVersion } from "../../../scripts/release/version-files.ts";

const root = join(import.meta.dirname, "..", "..", "..");
const current = versionOf(root);

const read = (file: string): string => readFileSync(join(root, file), "utf8");

describe("the version", () => {
  it("stands in no other file than those that are changed with it", () => {
    const files = execFileSync("git", ["ls-files", "*.md", "*.yaml", "*.yml", "*.json", "Dockerfile"], {
      cwd: root,
      encoding: "utf8",
    });
    const mention = new RegExp(String.raw`weir:${current}\b|image\.tag=${current}\b|"version": "${current}"`);
    const naming = files
      .split("\n")
      .filter((file) => file !== "" && !file.endsWith("package-lock.json") && mention.test(read(file)));

    const known = ["package.json", "package-lock.json", ...versionFiles];
    assert.deepEqual(
      naming.filter((file) => !known.includes(file)),
      [],
    );
  });

  it("changes in all of them", () => {
    using copy = new TempFolder();
    for (const file of ["package.json", "package-lock.json", "CHANGELOG.md", ...versionFiles]) {
      mkdirSync(dirname(join(copy.path, file)), { recursive: true });
      cpSync(join(root, file), join(copy.path, file));
    }

    setVersion(copy.path, "7.8.9-rc.1", "2026-03-31");

    assert.equal(versionOf(copy.path), "7.8.9-rc.1");
    for (const file of ["package-lock.json", "CHANGELOG.md", ...versionFiles]) {
      assert.ok(readFileSync(join(copy.path, file), "utf8").includes("7.8.9-rc.1"), file);
    }
    setVersion(copy.path, current, "2026-03-31");
    for (const file of ["package.json", "package-lock.json", ...versionFiles]) {
      assert.equal(readFileSync(join(copy.path, file), "utf8"), read(file), file);
    }
  });

  it("is changed where it's Weir's, and nowhere else", () => {
    for (const [text, changed] of [
      ["docker.io/weirdev/weir:1.2.3", "docker.io/weirdev/weir:2.0.0"],
      ["newTag: 1.2.3\n", "newTag: 2.0.0\n"],
      ["Replace `1.2.3` with it.", "Replace `2.0.0` with it."],
      ["It is example.com/weir:1.2.3.", "It is example.com/weir:2.0.0."],
      ["helm install flux weir-1.2.3.tgz", "helm install flux weir-2.0.0.tgz"],
    ] as const) {
      assert.equal(withVersion(text, "1.2.3", "2.0.0"), changed);
    }
    for (const other of ["/weir:1.2.30", "/weir:1.2.3-rc.1", "/weir:1.2.3.4", "other:1.2.3", "/weir:1x2.3"]) {
      assert.equal(withVersion(other, "1.2.3", "2.0.0"), other);
    }
  });

  it("leaves the packages of others in the lockfile", () => {
    const lock = {
      version: "1.0.0",
      packages: { "": { name: "weir", version: "1.0.0" }, "node_modules/a": { version: "1.0.0" } },
    };

    assert.deepEqual(JSON.parse(lockWithVersion(JSON.stringify(lock), "2.0.0")), {
      version: "2.0.0",
      packages: { "": { name: "weir", version: "2.0.0" }, "node_modules/a": { version: "1.0.0" } },
    });
  });
});

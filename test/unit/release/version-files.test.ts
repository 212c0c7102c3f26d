import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join, matchesGlob } from "node:path";
import { describe, it } from "node:test";
import { TempFolder } from "@weir/testing";
import { setVersion, versionOf } from "../../../dev/release/set-version.ts";
import { lockWithVersion, versionFiles, withVersion } from "../../../dev/release/version-files.ts";

const root = join(import.meta.dirname, "..", "..", "..");
const current = versionOf(root);

/** Files with versions that aren't Weir's, or that were, and the code, which has the version from package.json. */
const aboutOthers = [
  ...["CHANGELOG.md", "**/package-lock.json", "**/go.mod", "**/go.sum", "docker/licenses/*"],
  ...[
    "{cmd,dev,packages,scripts,src,test}/**",
    "hub/{cmd,page,src,test}/**",
    "hub/package.json",
    "examples/helm/**",
  ],
  // Its versions are examples.
  "docs/releasing.md",
];

const read = (file: string): string => readFileSync(join(root, file), "utf8");

describe("the version", () => {
  it("stays in no file that isn't about another thing when it changes", () => {
    using copy = new TempFolder();
    const files = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).trim().split("\n");
    const recipes = files.filter((file) => !aboutOthers.some((pattern) => matchesGlob(file, pattern)));
    for (const file of [...recipes, "package-lock.json", "CHANGELOG.md"]) {
      mkdirSync(dirname(join(copy.path, file)), { recursive: true });
      cpSync(join(root, file), join(copy.path, file));
    }

    setVersion(copy.path, "7.8.9-rc.1", "2026-03-31");

    const mention = new RegExp(String.raw`(?<![\d.])${RegExp.escape(current)}(?![\d.]*\d)`);
    const naming = recipes.filter((file) => mention.test(readFileSync(join(copy.path, file), "utf8")));
    assert.deepEqual(naming, []);
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
      ["docker.io/weirdev/weir:1.2.3-root", "docker.io/weirdev/weir:2.0.0-root"],
      ["image.tag=1.2.3-slim ", "image.tag=2.0.0-slim "],
      ["newTag: 1.2.3\n", "newTag: 2.0.0\n"],
      ["Replace `1.2.3` with it.", "Replace `2.0.0` with it."],
      ["It is example.com/weir:1.2.3.", "It is example.com/weir:2.0.0."],
      ["helm install flux weir-1.2.3.tgz", "helm install flux weir-2.0.0.tgz"],
      ["example.com/weir-console:1.2.3 dist", "example.com/weir-console:2.0.0 dist"],
      [
        "weirdev/weir:1.2.3-root, weirdev/weir:1.2.3-slim",
        "weirdev/weir:2.0.0-root, weirdev/weir:2.0.0-slim",
      ],
      ["export VERSION=1.2.3", "export VERSION=2.0.0"],
      ["https://example.com/weir/1.2.3", "https://example.com/weir/2.0.0"],
      ["fluxctl_1.2.3_windows_amd64.zip", "fluxctl_2.0.0_windows_amd64.zip"],
      ["git rev-parse v1.2.3^{commit}", "git rev-parse v2.0.0^{commit}"],
    ] as const) {
      assert.equal(withVersion(text, "1.2.3", "2.0.0"), changed);
    }
    for (const other of [
      ...[
        "/weir:1.2.30",
        "/weir:1.2.3-rc.1",
        "/weir:1.2.3-root.1",
        "/weir:1.2.3.4",
        "other:1.2.3",
        "/weir:1x2.3",
      ],
      ...["/weir:1.2.3-rootless", "other_1.2.3_linux.zip", "MY_VERSION=1.2.3", "env1.2.3"],
    ]) {
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

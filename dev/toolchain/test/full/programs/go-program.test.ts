import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, it } from "node:test";
import { promisify } from "node:util";
import { lacks, TempFolder } from "@weir/testing";
import { goRelease, pinnedGo } from "../../../src/go-release.ts";
import { findProgram, goModuleSources, goModulesOf, goProgram } from "../../../src/index.ts";

const target = { system: "linux", architecture: "arm64" };

describe("a program in Go", { skip: lacks("Go") }, () => {
  it("is built with the pinned release", async () => {
    const helm = await goProgram("helm");

    const { stdout } = await promisify(execFile)(findProgram("go") ?? "go", ["version", helm]);

    assert.equal(stdout, `${helm}: ${goRelease}\n`);
  });

  it("has the sources of its modules, with their licenses, in a folder", async () => {
    const folder = await goModuleSources(["kustomize"], target);

    assert.ok(existsSync(join(folder, "sigs.k8s.io", "kustomize", "kustomize", "v3@v3.8.7")));
  });

  it("has the modules that are listed of it, those of its own library among them", async () => {
    const kustomize = await goProgram("kustomize");
    const { stdout } = await promisify(execFile)(findProgram("go") ?? "go", ["version", "-m", kustomize]);
    // What replaces a module is on the line below it.
    const lines = stdout.split("\n").map((line) => line.split("\t"));
    const kept = lines.filter((_, index) => lines[index + 1]?.[1] !== "=>");
    const listed = kept.filter(([, kind = ""]) => ["mod", "dep", "=>"].includes(kind));

    const modules = await goModulesOf("kustomize", { system: "linux", architecture: "amd64" });

    assert.deepEqual(
      modules.map(({ path, version }) => `${path} ${version}`),
      [...listed.map(([, , path, version]) => `${path} ${version}`), `stdlib ${goRelease}`].toSorted(),
    );
    assert.ok(modules.every(({ folder, packages }) => packages.every((each) => each.startsWith(folder))));
  });
});

describe("the pinned release of Go", () => {
  const path = process.env["PATH"] ?? "";
  afterEach(() => {
    process.env["PATH"] = path;
  });

  /** What's said if the installed Go is this script. */
  async function refusalOf(go: string): Promise<string> {
    using folder = new TempFolder();
    folder.write("go", `#!/bin/sh\n${go}\n`, 0o755);
    process.env["PATH"] = folder.path;
    const error: unknown = await pinnedGo(target).then(
      () => assert.fail("it was accepted"),
      (reason: unknown) => reason,
    );
    return error instanceof Error ? error.message.replaceAll(folder.path, "") : "";
  }

  it("can't be had from a Go that is too old to download it", async () => {
    assert.equal(
      await refusalOf("echo go1.19.8"),
      `/go is go1.19.8 and can't provide ${goRelease}: install Go 1.21 or newer, which downloads it`,
    );
  });

  it("is asked of the installed Go", async () => {
    assert.match(await refusalOf('echo "$GOTOOLCHAIN" >&2; exit 1'), new RegExp(RegExp.escape(goRelease)));
  });
});

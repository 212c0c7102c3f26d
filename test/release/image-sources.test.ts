/** The sources behind the downloads of the image, without the releases themselves: those need the internet. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { findProgram, TempFolder } from "@weir/testing";
import { imageTools } from "../../scripts/image/tools.ts";

const run = promisify(execFile);

describe("the tools of the image", () => {
  for (const { command, module, version, moduleSum } of findProgram("go") ? imageTools.downloads : []) {
    it(`can be had from the Go module of ${command}, at its version`, async () => {
      using folder = new TempFolder();

      const { stdout } = await run(
        findProgram("go") ?? "",
        ["mod", "download", "-json", `${module}@${version}`],
        { cwd: folder.path },
      );

      assert.equal((JSON.parse(stdout) as { Sum?: string }).Sum, moduleSum);
    });
  }

  for (const { package: name } of isDebian(imageTools.debian) ? imageTools.packages : []) {
    it(`can be had from Debian's package ${name}`, async () => {
      const { stdout } = await run("apt-cache", ["policy", name]);

      assert.match(stdout, /Candidate: \d/);
    });
  }
});

function isDebian(release: string): boolean {
  return (
    findProgram("apt-cache") !== undefined &&
    existsSync("/etc/debian_version") &&
    readFileSync("/etc/debian_version", "utf8").startsWith(`${release}.`)
  );
}

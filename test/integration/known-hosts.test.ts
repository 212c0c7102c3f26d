import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { TempFolder } from "@weir/testing";

const docker = join(import.meta.dirname, "../../docker");
const lines = readFileSync(join(docker, "known_hosts"), "utf8").trimEnd().split("\n");

function verify(...args: readonly string[]) {
  return spawnSync(join(docker, "verify-known-hosts.sh"), args, { encoding: "utf8" });
}

describe("the host keys of the image", () => {
  it("are those whose fingerprints the hosts publish", () => {
    const { status, stderr } = verify();

    assert.deepEqual({ status, stderr }, { status: 0, stderr: "" });
  });

  it("include every host of Flux's image", () => {
    const hosts = new Set(lines.map((line) => line.split(" ")[0]));

    assert.deepEqual(
      [...hosts],
      [
        "github.com",
        "gitlab.com",
        "bitbucket.org",
        "ssh.dev.azure.com",
        "vs-ssh.visualstudio.com",
        "[source.developers.google.com]:2022",
      ],
    );
  });

  const [first = "", ...others] = lines;
  const wrong: readonly (readonly [what: string, content: readonly string[]])[] = [
    ["a key under another name", [first.replace("github.com", "evil.example.com"), ...others]],
    ["a key of another host", [first.replace(/ .*/, (others[2] ?? "").replace(/^\S+/, "")), ...others]],
    ["one key too many", [...lines, first.replace("github.com", "example.com")]],
    ["one key too few", others],
    ["no keys", []],
  ];
  for (const [what, content] of wrong) {
    it(`are refused with ${what}`, () => {
      using folder = new TempFolder();
      const file = folder.write("known_hosts", content.map((line) => `${line}\n`).join(""));

      const { status, stderr } = verify(file);

      assert.equal(status, 1);
      assert.match(stderr, /^verify-known-hosts: |\nverify-known-hosts: /);
    });
  }
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { gitFinding } from "../../../../../cmd/fluxctl/check/daemon.ts";

const config = {
  url: "ssh://git@example.test/r",
  branch: "main",
  path: "",
  publicSshKey: { key: "ssh-rsa AAAA flux\n", fingerprints: null },
  errors: "it went wrong",
};

describe("gitFinding", () => {
  for (const [status, verdict, found] of [
    ["ready", "passed", "using branch main of ssh://git@example.test/r"],
    ["unconfigured", "failed", "no git repository is configured"],
    ["new", "failed", "cannot read ssh://git@example.test/r: it went wrong"],
    ["unreachable", "failed", "cannot read ssh://git@example.test/r: it went wrong"],
    [
      "cloned",
      "failed",
      "can read ssh://git@example.test/r, but cannot write to it, or branch main does not exist: it went wrong",
    ],
  ] as const) {
    it(`is ${verdict} where the repository is ${status}`, () => {
      const finding = gitFinding({ ...config, status });

      assert.deepEqual([finding.verdict, finding.found], [verdict, found]);
    });
  }

  it("shows the key to add, where there is one", () => {
    const { key, fingerprints } = { key: "", fingerprints: null };

    assert.match(gitFinding({ ...config, status: "new" }).advice, /\nssh-rsa AAAA flux$/);
    assert.match(
      gitFinding({ ...config, status: "new", publicSshKey: { key, fingerprints } }).advice,
      /^check --git-url and the repository's user name and password/,
    );
  });
});

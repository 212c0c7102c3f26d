import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TimeoutError } from "@weir/base";
import { type GitCheckOptions, gitCheckup } from "../../../../src/daemon/checks/git.ts";

const never = new AbortController().signal;
const url = "ssh://git@example.test/r";
const done = () => Promise.resolve();

/** Subject and verdict, and what was found, of a repository that is well but for `changes`. */
async function lookAt(changes: Partial<GitCheckOptions["repo"]>) {
  const repo = {
    safeUrl: url,
    readonly: false,
    status: () => ({ status: "ready", error: "" }) as const,
    peek: done,
    checkWrite: done,
    branchHead: () => Promise.resolve("0123456789abcdef"),
    ...changes,
  };
  const publicKey = () => Promise.resolve("ssh-rsa AAAA flux\n");
  const findings = await gitCheckup({ repo, branch: "main", publicKey }).look(never);
  return {
    verdicts: findings.map(({ subject, verdict }) => `${subject} ${verdict}`),
    found: findings.map(({ found }) => found),
    advice: findings.map(({ advice }) => advice).join("\n"),
  };
}

describe("gitCheckup", () => {
  it("tries to read and to write what could be used before", async () => {
    const { verdicts, found } = await lookAt({});

    assert.deepEqual(verdicts, ["git read passed", "git write passed"]);
    assert.deepEqual(found, [`can read ${url}; main is at 0123456`, `can write to ${url}`]);
  });

  it("does not write where fluxd is not to", async () => {
    const refuse = () => Promise.reject(new Error("written"));

    assert.deepEqual((await lookAt({ readonly: true, checkWrite: refuse })).verdicts, [
      "git read passed",
      "git write passed",
    ]);
  });

  it("says what is wrong since", async () => {
    const refused = (why: string) => () => Promise.reject(new Error(why));

    const away = await lookAt({ peek: refused("Connection refused") });
    const locked = await lookAt({ checkWrite: refused("marked as read only") });

    assert.deepEqual(away.verdicts, ["git read failed", "git write passed"]);
    assert.equal(away.found[0], `can no longer read ${url}: Connection refused`);
    assert.deepEqual(locked.verdicts, ["git read passed", "git write failed"]);
    assert.match(locked.advice, /deploy key write access; the key is:\nssh-rsa AAAA flux\n.*--git-readonly/s);
  });

  it("says what helps where git takes too long", async () => {
    const late = () => Promise.reject(new Error("context deadline exceeded", { cause: new TimeoutError() }));

    const { verdicts, advice } = await lookAt({ peek: late });

    assert.deepEqual(verdicts, ["git read failed", "git write passed"]);
    assert.match(advice, /cluster can reach the git host; .*--git-timeout/);
  });

  for (const [status, error, hindrance, verdicts, advice] of [
    ["unconfigured", "", undefined, ["git read failed"], /--git-url/],
    ["new", "git repo has not been cloned yet", "untried", ["git read warning"], /wait a moment/],
    ["new", "context deadline exceeded", "timeout", ["git read failed"], /cluster can reach the git host/],
    ["new", "Permission denied (publickey)", undefined, ["git read failed"], /ssh-rsa AAAA flux/],
    ["unreachable", "Could not resolve hostname x", undefined, ["git read failed"], /check the host/],
    ["cloned", "configured branch 'main' does not exist", "no-branch", ["git read failed"], /--git-branch/],
    [
      "cloned",
      "git repo has been cloned but not yet checked for write access",
      "untried",
      ["git read passed", "git write warning"],
      /wait a moment/,
    ],
    ["cloned", "marked as read only", undefined, ["git read passed", "git write failed"], /--git-readonly/],
  ] as const) {
    it(`goes by what was tried last where the mirror is ${status}: ${error}`, async () => {
      const looked = await lookAt({
        status: () => ({ status, error, ...(hindrance === undefined ? {} : { hindrance }) }),
      });

      assert.deepEqual(looked.verdicts, verdicts);
      assert.match(looked.advice, advice);
    });
  }
});

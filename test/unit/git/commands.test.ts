import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { gitLimits } from "@weir/base";
import fc from "fast-check";
import type { GitOutput } from "../../../src/git/commands.ts";
import * as commands from "../../../src/git/commands.ts";
import { RefusedError } from "../../../src/git/errors.ts";
import { TreeListing } from "../../../src/git/tree-listing.ts";

const revision = "a".repeat(40);

function printed(stdout: string, stderr = "", exitCode = 0): GitOutput {
  return { stdout, stderr, exitCode };
}

describe("the arguments of git", () => {
  it("never hold what comes from outside where it could be an option", () => {
    const outside: readonly ((value: string) => commands.GitCommand<unknown>)[] = [
      (value) => commands.cloneMirror(value, "/d"),
      (value) => commands.listRemote(value),
      (value) => commands.revisionOf(value),
      (value) => commands.log({ range: value, paths: [] }),
      (value) => commands.describeCommit(value),
      (value) => commands.lastChange({ revision: value, path: "a", from: 1, to: 1 }),
      (value) => commands.showFile(value, "a"),
      (value) => commands.showNote("refs/notes/flux", value),
      (value) => commands.listTree(value, new TreeListing(gitLimits)),
      (value) => commands.checkOut(value),
      (value) => commands.checkOutPaths(value, []),
      (value) => commands.changedFiles(value, []),
      (value) => commands.addNote({ ref: "refs/notes/flux", revision: value, text: "{}" }),
      (value) => commands.pushBranch(value, "main", "refs/notes/flux"),
      (value) => commands.fetchRef(value, "a", "b"),
      (value) => commands.pushRef(value, "a", "b"),
    ];
    fc.assert(
      fc.property(fc.constantFrom(...outside), fc.string(), (command, rest) => {
        assert.throws(() => command(`-${rest}`), RefusedError);
        assert.throws(() => command(""), RefusedError);
      }),
    );
  });

  it("hold paths only behind the double dash, or not at all", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (paths) => {
        for (const { args } of [
          commands.hasChanges(paths),
          commands.changedFiles(revision, paths),
          commands.log({ range: revision, paths }),
        ]) {
          assert.deepEqual(args.slice(args.indexOf("--") + 1), paths);
        }
        assert.equal(
          commands.checkOutPaths(revision, paths).input,
          paths.map((path) => `${path}\0`).join(""),
        );
      }),
    );
  });
});

describe("the output of git", () => {
  it("tells all of a commit", () => {
    const { parse } = commands.describeCommit("x");
    const message = "a title\n\na body\n";

    assert.deepEqual(
      parse(printed([revision, "A <a@x>", "2020-01-01T00:00:00Z", "b c", message].join("\0"))),
      {
        revision,
        author: "A <a@x>",
        date: "2020-01-01T00:00:00Z",
        parents: ["b", "c"],
        message: "a title\n\na body",
      },
    );
    assert.deepEqual(parse(printed([revision, "A <>", "", "", ""].join("\0")))?.parents, []);
    assert.equal(parse(printed("")), undefined);
  });

  it("tells a file, or that there's none", () => {
    const { parse, isAnswer } = commands.showFile(revision, "a.yaml");

    assert.equal(parse(printed("a: 1\n")), "a: 1\n");
    for (const refusal of [
      `fatal: path 'a.yaml' does not exist in '${revision}'`,
      `fatal: path 'a.yaml' exists on disk, but not in '${revision}'`,
      `fatal: git cat-file ${revision}:a.yaml: bad file`,
    ]) {
      assert.equal(isAnswer?.(printed("", refusal, 128)), true);
      assert.equal(parse(printed("", refusal, 128)), undefined);
    }
    assert.equal(isAnswer?.(printed("", "fatal: not a git repository", 128)), false);
  });

  it("tells a note, that there is none, or that something is wrong", () => {
    const { parse, isAnswer = () => undefined } = commands.showNote("refs/notes/flux", revision);
    const none = printed("", `error: no note found for object ${revision}.\n`, 1);

    assert.equal(parse(printed("{}\n")), "{}\n");
    assert.equal(isAnswer(none), true);
    assert.equal(parse(none), undefined);
    assert.equal(isAnswer(printed("", "fatal: bad object\n", 128)), false);
  });

  it("tells whether there are changes; a failure counts as one", () => {
    const { parse } = commands.hasChanges([]);

    assert.deepEqual(
      [0, 1, 128].map((exitCode) => parse(printed("", "", exitCode))),
      [false, true, true],
    );
  });
});

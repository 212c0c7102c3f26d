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
  const expected: Readonly<Record<string, readonly [commands.GitCommand<unknown>, string]>> = {
    "a clone of all": [
      commands.cloneMirror("https://h/x", "/tmp/d"),
      "clone --mirror --template= -- https://h/x /tmp/d",
    ],
    "a refresh": [
      commands.fetchMirror(false),
      "fetch --tags --no-auto-maintenance --no-write-fetch-head --no-recurse-submodules origin",
    ],
    "a refresh that prunes": [
      commands.fetchMirror(true),
      "fetch --tags --no-auto-maintenance --no-write-fetch-head --no-recurse-submodules --prune origin",
    ],
    "a look at upstream": [commands.listRemote("h:x"), "ls-remote --heads -- h:x"],
    "a log of paths": [
      commands.log({ range: "a..b", paths: ["x y", ":(top)"] }),
      "--literal-pathspecs log --pretty=format:%H|%s a..b -- x y :(top)",
    ],
    "a log": [commands.log({ range: "b", paths: [] }), "--literal-pathspecs log --pretty=format:%H|%s b --"],
    "a list of all commits up to one": [
      commands.listCommits("b", false),
      "--no-replace-objects log --pretty=format:%H b --",
    ],
    "a list of commits without those that were merged": [
      commands.listCommits("a..b", true),
      "--no-replace-objects log --pretty=format:%H --first-parent a..b --",
    ],
    "what is known of a commit": [
      commands.describeCommit("b"),
      "log -1 --no-patch --pretty=format:%H%x00%an <%ae>%x00%aI%x00%P%x00%B b --",
    ],
    "who changed some lines": [
      commands.lastChange({ revision, path: "-a b:c.yaml", from: 3, to: 5 }),
      `log -1 --no-patch --no-ext-diff --pretty=format:%H%x00%an <%ae>%x00%aI%x00%P%x00%B -L3,5:-a b:c.yaml ${revision} --`,
    ],
    "a file": [commands.showFile(revision, "a b.yaml"), `cat-file blob ${revision}:a b.yaml`],
    "a look at objects": [
      commands.readObjects(["a", "b"], () => undefined),
      "--no-replace-objects cat-file --batch",
    ],
    "a branch to move": [commands.moveHead("a", "b"), "update-ref HEAD b a"],
    "a working clone": [
      commands.cloneShared({ mirrorDir: "/m", dir: "/w", branch: "-b", config: ["user.name=-x y"] }),
      "clone --shared --template= --no-checkout --branch=-b --config=user.name=-x y -- /m /w",
    ],
    "a clone without files": [
      commands.cloneShared({ mirrorDir: "/m", dir: "/w" }),
      "clone --shared --template= --no-checkout -- /m /w",
    ],
    "a commit": [commands.commitAll("m", "A <a@x>"), "commit --no-verify -a --file=- --author=A <a@x> --"],
    "a note": [
      commands.addNote({ ref: "refs/notes/flux", revision, text: "{}" }),
      `notes --ref=refs/notes/flux add --file=- ${revision}`,
    ],
    "a look for changes": [
      commands.hasChanges(["a", "--b"]),
      "--literal-pathspecs diff --quiet --no-ext-diff -- a --b",
    ],
    "a push": [
      commands.pushBranch("h:x", "main", "refs/notes/flux"),
      "push -- h:x refs/heads/main:refs/heads/main refs/notes/flux:refs/notes/flux",
    ],
    "a push of the tag": [
      commands.pushTag("flux-sync", revision),
      `-c remote.origin.mirror=false push --force origin ${revision}:refs/tags/flux-sync`,
    ],
    "a push of a new tag": [
      commands.pushNewTag("t", revision),
      `-c remote.origin.mirror=false push origin ${revision}:refs/tags/t`,
    ],
    "a removal of a tag": [
      commands.deleteTag("t"),
      "-c remote.origin.mirror=false push --delete origin refs/tags/t",
    ],
  };
  for (const [what, [command, args]] of Object.entries(expected)) {
    it(`are right for ${what}`, () => {
      assert.equal(command.args.join(" "), args);
    });
  }

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
  it("tells the commits of a log", () => {
    const { parse } = commands.log({ range: "x", paths: [] });

    assert.deepEqual(parse(printed(`${revision}|a | b\n${"b".repeat(40)}|\n`)), [
      { revision, message: "a | b" },
      { revision: "b".repeat(40), message: "" },
    ]);
    assert.deepEqual(parse(printed("")), []);
  });

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

  it("tells refs, and what is behind a tag", () => {
    const refs = commands.listRefs().parse(printed("refs/heads/main 1 \nrefs/tags/t 2 1\n"));

    assert.deepEqual(
      [...refs],
      [
        ["refs/heads/main", { id: "1", peeled: "1" }],
        ["refs/tags/t", { id: "2", peeled: "1" }],
      ],
    );
  });

  it("tells whether a refresh brought anything", () => {
    assert.equal(commands.fetchMirror(false).parse(printed("")), false);
    assert.equal(commands.fetchMirror(false).parse(printed("", "From h:x\n")), true);
  });

  it("tells a note, that there is none, or that something is wrong", () => {
    const { parse, isAnswer = () => undefined } = commands.showNote("refs/notes/flux", revision);
    const none = printed("", `error: no note found for object ${revision}.\n`, 1);

    assert.equal(parse(printed("{}\n")), "{}\n");
    assert.equal(isAnswer(none), true);
    assert.equal(parse(none), undefined);
    assert.equal(isAnswer(printed("", "fatal: bad object\n", 128)), false);
  });

  it("tells noted commits", () => {
    const { parse } = commands.listNotes("refs/notes/flux");

    assert.deepEqual(parse(printed("1 2\n3 4\n")), new Set(["2", "4"]));
    assert.deepEqual(parse(printed("")), new Set());
  });

  it("tells changed files", () => {
    assert.deepEqual(commands.changedFiles(revision, []).parse(printed("a\0b c\0")), ["a", "b c"]);
  });

  it("tells whether there are changes; a failure counts as one", () => {
    const { parse } = commands.hasChanges([]);

    assert.deepEqual(
      [0, 1, 128].map((exitCode) => parse(printed("", "", exitCode))),
      [false, true, true],
    );
  });
});

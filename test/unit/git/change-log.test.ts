import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { changeLog, parseChangeLog } from "../../../src/git/change-log.ts";
import { RefusedError } from "../../../src/git/errors.ts";

const [one, two, three] = ["1", "2", "3"].map((digit) => digit.repeat(40));
const none = "0".repeat(40);

describe("the change log", () => {
  it("reads commits with their files, whatever their messages and paths are", () => {
    const output = [
      ...[`\u0002${three}`, `${two} ${one}`, "1700000003", "A|B <a@b>", ":100644 merge", ""],
      ...[`\u0002${two}`, one ?? "", "1700000002", "C <c@d>", "\u0002odd", ""],
      ...[`\n:100644 100755 ${one} ${two} M`, "a b.yaml", `:100644 000000 ${one} ${none} D`, "\u0002x"],
      ...[`\u0002${one}`, "", "1700000001", "C <c@d>", "", ""],
      ...[`\n:000000 120000 ${none} ${one} A`, "link.yaml", ""],
    ].join("\0");

    assert.deepEqual(parseChangeLog(output), [
      {
        revision: three,
        parents: [two, one],
        committedAt: new Date(1_700_000_003_000),
        author: "A|B <a@b>",
        message: ":100644 merge",
        files: [],
      },
      {
        revision: two,
        parents: [one],
        committedAt: new Date(1_700_000_002_000),
        author: "C <c@d>",
        message: "\u0002odd",
        files: [
          { path: "a b.yaml", before: { mode: "100644", id: one }, after: { mode: "100755", id: two } },
          { path: "\u0002x", before: { mode: "100644", id: one }, after: undefined },
        ],
      },
      {
        revision: one,
        parents: [],
        committedAt: new Date(1_700_000_001_000),
        author: "C <c@d>",
        message: "",
        files: [{ path: "link.yaml", before: undefined, after: { mode: "120000", id: one } }],
      },
    ]);
  });

  it("reads nothing from nothing, and takes no option for a commit", () => {
    assert.deepEqual(parseChangeLog(""), []);
    assert.throws(() => changeLog({ range: "--all", paths: [], skip: 0, limit: 1 }), RefusedError);
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type PolicySet, parseImageRef, parseResourceId } from "@weir/flux";
import type { WhyScan } from "@weir/flux/api";
import { metadataOf } from "../../../../../dev/testing/src/update-world.ts";
import { judge } from "../../../../../src/daemon/queries/why/image.ts";
import { imageCauses } from "../../../../../src/daemon/queries/why/image-causes.ts";
import { imageState } from "../../../../../src/daemon/queries/why/image-states.ts";

const repository = "example.test/app";
const metadata = metadataOf(repository, {
  "1.0": "2020-01-01T00:00:00Z",
  "1.1": "2020-01-02T00:00:00Z",
  "2.0": "2020-01-03T00:00:00Z",
});
const automation = {
  workload: parseResourceId("shop:deployment/web"),
  isOn: true,
  isReadonly: false,
  suspended: "",
};

function state(tag: string, policies: PolicySet = {}, scan: Partial<WhyScan> = {}) {
  const isScanned = scan.state === undefined || scan.state === "scanned" || scan.state === "stale";
  return imageState({ name: "main", image: parseImageRef(`${repository}:${tag}`) }, policies, {
    state: "scanned",
    error: "",
    tags: 3,
    metadata: isScanned ? metadata : { tags: [], images: new Map() },
    ...scan,
  });
}

function told(...given: Parameters<typeof state>): readonly string[] {
  return imageCauses(state(...given), automation).map(({ kind }) => kind);
}

const automated = { automated: "true" };

describe("what keeps a container from the newest image", () => {
  const cases: Readonly<Record<string, readonly [readonly string[], Parameters<typeof state>]>> = {
    "nothing, if it runs it": [[], ["2.0", automated]],
    "that nobody releases it": [["not-automated"], ["1.0"]],
    "the next round of automation": [["release-due"], ["1.0", automated]],
    "a lock": [["locked"], ["1.0", { ...automated, locked: "true" }]],
    "a lock, even if there's nothing newer": [["locked"], ["2.0", { locked: "true" }]],
    "the filter": [["filtered"], ["1.1", { ...automated, "tag.main": "glob:1.*" }]],
    "the filter, and the next round": [
      ["release-due", "filtered"],
      ["1.0", { ...automated, "tag.main": "semver:~1" }],
    ],
    "a scan that failed": [["scan-error"], ["1.0", {}, { state: "failed", error: "no such host" }]],
    "a scan that failed after a good one, beside what is known": [
      ["scan-stale", "release-due"],
      ["1.0", automated, { state: "stale", error: "no such host" }],
    ],
    "the first scan": [["not-scanned"], ["1.0", automated, { state: "waiting" }]],
    "the first scan, which matters to automation only": [[], ["1.0", {}, { state: "waiting" }]],
    "no scans": [["scan-off"], ["1.0", automated, { state: "off" }]],
  };
  for (const [what, [kinds, given]] of Object.entries(cases)) {
    it(`is ${what}`, () => {
      assert.deepEqual(told(...given), kinds);
    });
  }

  it("is said with the command that helps", () => {
    const [locked] = imageCauses(
      state("1.0", { locked: "true", locked_user: "Ann", locked_msg: "a freeze" }),
      automation,
    );
    const [free] = imageCauses(state("1.0"), automation);
    const [filtered] = imageCauses(state("1.1", { "tag.main": "glob:1.*" }), automation);

    assert.equal(locked?.message, "locked by Ann (a freeze): container main stays at 1.0 instead of 2.0");
    assert.deepEqual(
      [locked, free, filtered].map((each) => each?.remedies[0]?.command),
      [
        "fluxctl unlock --workload=shop:deployment/web",
        "fluxctl release --workload=shop:deployment/web --update-image=example.test/app:2.0",
        "fluxctl policy --workload=shop:deployment/web --tag='main=glob:*'",
      ],
    );
    assert.match(
      filtered?.message ?? "",
      /the tag filter glob:1\.\* of container main excludes the newer image 2\.0/,
    );
  });

  it("is a git that can't be written to, or automation that's off", () => {
    const readonly = imageCauses(state("1.0", automated), { ...automation, isReadonly: true });
    const off = imageCauses(state("1.0", automated), { ...automation, isOn: false });

    const [suspended] = imageCauses(state("1.0", automated), {
      ...automation,
      suspended: "it is suspended by Ann",
    });

    assert.deepEqual([readonly[0]?.kind, off[0]?.kind], ["read-only", "automation-off"]);
    assert.equal(
      suspended?.message,
      "container main runs 1.0, and 2.0 is allowed, but it is suspended by Ann",
    );
    assert.equal(suspended.remedies[0]?.command, "fluxctl resume automation");
  });
});

describe("whether a container moves to an image", () => {
  const cases: Readonly<
    Record<string, readonly [tag: string, Parameters<typeof state>, outcome: string, readonly string[]]>
  > = {
    "that it runs": ["1.0", ["1.0"], "runs", []],
    "that's the newest": ["2.0", ["1.0", automated], "moves", []],
    "that's whatever is newest": ["", ["1.0", automated], "moves", []],
    "that's whatever is newest, which it runs": ["", ["2.0", automated], "runs", []],
    "that isn't the newest": ["1.1", ["1.0", automated], "stays", ["not-newest"]],
    "that's older": ["1.0", ["2.0", automated], "stays", ["not-newest"]],
    "that the filter excludes": [
      "2.0",
      ["1.1", { ...automated, "tag.main": "glob:1.*" }],
      "stays",
      ["filtered"],
    ],
    "of a locked workload": ["2.0", ["1.0", { ...automated, locked: "true" }], "stays", ["locked"]],
    "of a workload that isn't automated": ["2.0", ["1.0"], "stays", ["not-automated"]],
    "of a repository that can't be scanned": [
      "2.0",
      ["1.0", automated, { state: "failed", error: "x" }],
      "stays",
      ["scan-error"],
    ],
  };
  for (const [what, [tag, given, outcome, kinds]] of Object.entries(cases)) {
    it(what, () => {
      const judged = judge(tag, state(...given), automation);

      assert.deepEqual([judged.outcome, judged.causes.map(({ kind }) => kind)], [outcome, kinds]);
    });
  }
});

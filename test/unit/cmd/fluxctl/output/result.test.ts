import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseImageRef, parseResourceId, type UpdateResult } from "@weir/flux";
import { plain } from "../../../../../cmd/fluxctl/output/paint.ts";
import { printResult } from "../../../../../cmd/fluxctl/output/result.ts";

function change(container: string, from: string | undefined, to: string) {
  return {
    container,
    current: from === undefined ? undefined : parseImageRef(from),
    target: parseImageRef(to),
  };
}

const result: UpdateResult = new Map([
  [parseResourceId("b:deployment/web"), { status: "skipped", error: "not running", containers: null }],
  [
    parseResourceId("a:deployment/app"),
    {
      status: "success",
      containers: [change("app", "quay.io/o/app:1", "quay.io/o/app:2"), change("side", undefined, "s:3")],
    },
  ],
  [parseResourceId("c:deployment/off"), { status: "ignored", error: "ignore policy", containers: null }],
  [
    parseResourceId("d:deployment/bad"),
    { status: "failed", error: "it broke", containers: [change("x", "x:1", "x:2")] },
  ],
  [parseResourceId("e:deployment/odd"), { status: "unknown", containers: null }],
]);

describe("printResult", () => {
  it("shows what was done, sorted, with further updates below the first", () => {
    assert.equal(
      printResult(result, 0, plain),
      `WORKLOAD          STATUS   UPDATES
a:deployment/app  success  app: quay.io/o/app:1 -> 2
                           side:  -> 3
d:deployment/bad  failed   it broke
                           x: x:1 -> 2
e:deployment/odd  unknown  
`,
    );
  });

  it("shows what was skipped with -v, and what is ignored with -vv", () => {
    const shown = [1, 2].map((verbosity) =>
      [...printResult(result, verbosity, plain).matchAll(/^[a-z]:\S+/gm)].map(String),
    );

    assert.deepEqual(shown, [
      ["a:deployment/app", "b:deployment/web", "d:deployment/bad", "e:deployment/odd"],
      ["a:deployment/app", "b:deployment/web", "c:deployment/off", "d:deployment/bad", "e:deployment/odd"],
    ]);
  });
});

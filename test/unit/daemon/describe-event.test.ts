import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type PolicyUpdate, parseResourceId, type UpdateSpec } from "@weir/flux";
import { describeEvent } from "../../../src/daemon/describe-event.ts";

const app = parseResourceId("demo:deployment/app");
const web = parseResourceId("demo:deployment/web");

function described(spec: UpdateSpec | null): string {
  return describeEvent({
    workloads: [app],
    startedAt: new Date(0),
    endedAt: new Date(0),
    logLevel: "info",
    detail: { type: "commit", revision: "c0ffee0000", spec, result: null },
  });
}

function policies(
  updates: readonly (readonly [typeof app, PolicyUpdate])[],
  cause = { user: "", message: "" },
): UpdateSpec {
  return { type: "policy", cause, spec: new Map(updates) };
}

describe("the description of a commit", () => {
  it("says which policies it changed, who asked for it, and why", () => {
    const lock = {
      add: { locked: "true", locked_user: "Jo <jo@example.test>", locked_msg: "freeze" },
      remove: null,
    };

    assert.equal(
      described(policies([[app, lock]], { user: "Jo <jo@example.test>", message: "freeze" })),
      'Commit: c0ffee0, demo:deployment/app: locked, by Jo <jo@example.test>, with message "freeze"',
    );
  });

  it("says what becomes of each workload where there are several", () => {
    const spec = policies([
      [web, { add: null, remove: { locked: "true", locked_user: "Jo" } }],
      [app, { add: { automated: "true", "tag.main": "glob:1.*" }, remove: { ignore: "true" } }],
    ]);

    assert.equal(
      described(spec),
      "Commit: c0ffee0, demo:deployment/app: demo:deployment/app automated, set tag.main=glob:1.*, no longer ignored; demo:deployment/web unlocked",
    );
  });

  it("says why a commit was made that changed no policy, as for one that undoes another", () => {
    const cause = { user: "Jo", message: "Undo c0ffee0: Release app" };

    assert.equal(
      described(policies([], cause)),
      'Commit: c0ffee0, demo:deployment/app, by Jo, with message "Undo c0ffee0: Release app"',
    );
  });

  it("is Flux's line where there is nothing to add", () => {
    assert.equal(described(null), "Commit: c0ffee0, demo:deployment/app");
    assert.equal(
      described({ type: "auto", cause: { user: "", message: "" }, spec: [] }),
      "Commit: c0ffee0, demo:deployment/app",
    );
  });
});

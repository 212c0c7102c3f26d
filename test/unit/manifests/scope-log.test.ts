import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RecordedLog } from "@weir/testing";
import { ScopeLog } from "../../../src/manifests/scope-log.ts";
import { oneManifest } from "../../support/parsed-manifests.ts";

describe("ScopeLog", () => {
  it("says once that a resource is left out, and once that it is back", () => {
    const log = new RecordedLog();
    const scopeLog = new ScopeLog(log, "demo");
    const odd = oneManifest("{apiVersion: x/v1, kind: Odd, metadata: {name: a}}");
    const missing = { unscoped: [odd], resources: new Map() };
    const found = odd.resourceIn("demo");

    scopeLog.report(missing);
    scopeLog.report(missing);
    scopeLog.report({ unscoped: [], resources: new Map([[found.id, found]]) });
    scopeLog.report({ unscoped: [], resources: new Map([[found.id, found]]) });
    scopeLog.report(missing);

    const warning =
      "warn=cannot find scope of resource odd/a: resource not found for API x/v1, kind Odd " +
      "impact=resource odd/a will be excluded until its scope is available";
    assert.deepEqual(log.lines, [
      warning,
      "info=found scope of resource demo:odd/a, back in business!",
      warning,
    ]);
  });
});

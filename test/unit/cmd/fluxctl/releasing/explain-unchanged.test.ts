import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  allWorkloadsSpec,
  ignored,
  latestImageSpec,
  parseImageRef,
  parseResourceId,
  skipped,
  updated,
  type WorkloadResult,
} from "@weir/flux";
import type { WorkloadStatusReport } from "@weir/flux/api";
import { explainUnchanged } from "../../../../../cmd/fluxctl/releasing/explain-unchanged.ts";

const app = parseResourceId("demo:deployment/app");
const web = parseResourceId("demo:deployment/web");

function workload(policies: Readonly<Record<string, string>> = {}): WorkloadStatusReport {
  return {
    id: app,
    containers: [{ name: "main", image: parseImageRef("example.test/app:1") }],
    readOnly: "",
    status: "ready",
    rollout: { desired: 1, updated: 1, ready: 1, available: 1, outdated: 0, messages: null },
    syncError: "",
    antecedent: "",
    labels: null,
    policies,
  };
}

function told(
  result: WorkloadResult,
  { image = "example.test/app:2", policies = {} } = {},
): readonly string[] {
  return explainUnchanged({
    spec: { workloads: [app], image, kind: "execute", excludes: null, force: false },
    result: new Map([[app, result]]),
    workloads: [workload(policies)],
    unscanned: new Set(),
  });
}

describe("why a release leaves a workload as it is", () => {
  const filter = { "tag.main": "glob:1.*" };
  for (const [result, options, lines] of [
    [
      skipped("locked"),
      {},
      [
        "demo:deployment/app is locked",
        "To unlock it: fluxctl unlock -w demo:deployment/app, or release it with --force",
      ],
    ],
    [
      skipped("ignore"),
      {},
      ["demo:deployment/app is ignored: it has the annotation fluxcd.io/ignore in the cluster."],
    ],
    [
      skipped("image(s) up to date"),
      { policies: filter },
      ["demo:deployment/app runs the newest image already (tag filters: main=glob:1.*)."],
    ],
    [skipped("cannot find one or more images"), {}, ["fluxd knows no images for demo:deployment/app."]],
    [
      ignored("does not use image(s)"),
      { image: latestImageSpec, policies: filter },
      ["No image passes the tag filters of demo:deployment/app (tag filters: main=glob:1.*)."],
    ],
    [
      ignored("a different image"),
      {},
      ["demo:deployment/app doesn't use this image; it runs example.test/app:1."],
    ],
    [
      skipped("not found in repository"),
      {},
      ["demo:deployment/app is in the cluster, but not in git, so fluxd can't release it."],
    ],
    [skipped("the registry is away"), {}, ["demo:deployment/app: the registry is away"]],
    [updated([]), {}, []],
  ] as const) {
    it(lines[0] ?? "is nothing where it is changed", () => {
      assert.deepEqual(told(result, options), lines);
    });
  }

  it("has the workloads by reason where all were asked for, and none changes", () => {
    const spec = {
      workloads: [allWorkloadsSpec],
      image: latestImageSpec,
      kind: "execute",
      excludes: null,
      force: false,
    } as const;
    const none = new Map([
      [web, skipped("locked")],
      [app, skipped("locked")],
    ]);
    const ask = (result: ReadonlyMap<typeof app, WorkloadResult>) =>
      explainUnchanged({ spec, result, workloads: [], unscanned: new Set() });

    assert.deepEqual(ask(none), ["locked: demo:deployment/app, demo:deployment/web"]);
    assert.deepEqual(ask(new Map([...none, [web, updated([])]])), []);
    assert.deepEqual(ask(new Map()), ["There are no workloads in git that could be released."]);
  });
});

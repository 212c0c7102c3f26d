import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { failed } from "@weir/base";
import { parseImageRef, parseResourceId, type ResourceStatus } from "@weir/flux";
import type { StatusReport, WorkloadStatusReport } from "@weir/flux/api";
import { decide, type Goal, type Seen } from "../../../../../cmd/fluxctl/waiting/decide.ts";

const app = parseResourceId("demo:deployment/app");
const web = parseResourceId("demo:deployment/web");
const pod = parseResourceId("demo:pod/app-1");
const job = parseResourceId("demo:job/migrate");
const head = "0123456789abcdef0123456789abcdef01234567";

const status: StatusReport = {
  git: { url: "", branch: "main", status: "ready", errors: "" },
  head,
  synced: head,
  behind: 0,
  lastSync: { revision: head, endedAt: undefined, failure: "", errors: [], isRunning: false, waitingFor: [] },
  automates: true,
  suspensions: [],
  findings: [],
  unknown: [],
};
const seen: Seen = { status, missing: 0, resources: [], workloads: [], suspects: new Set() };

function resource(
  id: ResourceStatus["id"],
  health: string,
  more: Partial<ResourceStatus> = {},
): ResourceStatus {
  return { id, apiVersion: "", source: "a.yaml", sync: "Synced", health, message: "", children: [], ...more };
}

function workload(id: WorkloadStatusReport["id"], image: string, state = "ready"): WorkloadStatusReport {
  return {
    id,
    containers: [{ name: "main", image: parseImageRef(image) }],
    readOnly: "",
    status: state,
    rollout: { desired: 1, updated: 1, ready: 1, available: 1, outdated: 0, messages: null },
    syncError: "",
    antecedent: "",
    labels: null,
    policies: {},
  };
}

const sync: Goal = { revision: head, health: false, ids: [] };
const health: Goal = { health: true, ids: [] };
const stuckPod = resource(pod, "Degraded", { sync: "", message: 'Back-off pulling image "x"' });
const crashingPod = resource(pod, "Degraded", {
  sync: "",
  message: "back-off 10s restarting failed container",
});
const refused = { id: app, source: "", error: "must be a number" };
const waits = { ...seen, missing: 2 };

describe("waiting for a sync", () => {
  for (const [what, given, wanted] of [
    ["is over when nothing is missing", seen, { reached: ["synced to 0123456"], waiting: [], stuck: [] }],
    ["goes on while commits are missing", waits, { waiting: ["0123456 to be synced, 2 commits to go"] }],
    [
      "goes on while fluxd doesn't know the commit",
      { ...seen, missing: undefined },
      { waiting: ["fluxd to fetch 0123456"] },
    ],
    [
      "goes on after a failure that may pass",
      { ...waits, status: { ...status, lastSync: { ...status.lastSync, failure: "connection refused" } } },
      { waiting: ["0123456 to be synced, 2 commits to go: connection refused"], stuck: [] },
    ],
    [
      "goes on while a hook runs",
      { ...waits, status: { ...status, lastSync: { ...status.lastSync, waitingFor: [job] } } },
      { waiting: ["0123456 to be synced, 2 commits to go: it waits for demo:job/migrate"], stuck: [] },
    ],
    [
      "is stuck while syncing is suspended",
      {
        ...waits,
        status: {
          ...status,
          suspensions: [{ what: "sync", reason: "why", user: "Ann", since: new Date(0) }],
        },
      },
      { stuck: ["syncing is suspended by Ann because: why"], waiting: [] },
    ],
    [
      "isn't stuck while automation is suspended",
      {
        ...waits,
        status: {
          ...status,
          suspensions: [{ what: "automation", reason: "", user: "", since: new Date(0) }],
        },
      },
      { stuck: [] },
    ],
    [
      "is stuck if files can't be read",
      {
        ...waits,
        status: {
          ...status,
          lastSync: { ...status.lastSync, failure: "loading resources from repo: a.yaml: bad" },
        },
      },
      { stuck: ["loading resources from repo: a.yaml: bad"] },
    ],
    [
      "isn't stuck if only an earlier commit couldn't be read",
      {
        ...waits,
        status: {
          ...status,
          lastSync: {
            ...status.lastSync,
            revision: "abc",
            failure: "loading resources from repo: a.yaml: bad",
          },
        },
      },
      { stuck: [] },
    ],
    [
      "is stuck if a resource was refused",
      { ...seen, status: { ...status, lastSync: { ...status.lastSync, errors: [refused] } } },
      { stuck: ["demo:deployment/app: must be a number"], reached: [] },
    ],
    [
      "is stuck if a commit isn't signed",
      { ...waits, status: { ...status, findings: [failed("signatures", "commit 01 is not verified", "")] } },
      { stuck: ["commit 01 is not verified"] },
    ],
  ] as const satisfies readonly (readonly [string, Seen, Partial<ReturnType<typeof decide>>])[]) {
    it(what, () => {
      const verdict = decide(sync, given);
      assert.deepEqual({ ...verdict, ...wanted }, verdict);
    });
  }

  it("comes before health, which the sync may change", () => {
    const both = { ...sync, health: true };
    const verdict = decide(both, { ...waits, resources: [resource(job, "Degraded")] });
    assert.deepEqual([verdict.stuck, verdict.waiting.length], [[], 1]);
  });
});

describe("waiting for health", () => {
  it("is over when everything that matters is healthy", () => {
    const resources = [resource(app, "Healthy"), resource(web, "Progressing")];
    assert.deepEqual(decide({ ...health, ids: [app] }, { ...seen, resources }).reached, [
      "demo:deployment/app is healthy",
    ]);
    assert.deepEqual(decide(health, { ...seen, resources }).waiting, ["demo:deployment/web: progressing"]);
  });

  it("is stuck at once if a resource has failed for good", () => {
    const resources = [resource(job, "Degraded", { message: "Job has reached the specified backoff limit" })];
    assert.deepEqual(decide(health, { ...seen, resources }).stuck, [
      "demo:job/migrate: Job has reached the specified backoff limit",
    ]);
  });

  it("is stuck at the second look if an image can't be pulled, which a rollout may be about to replace", () => {
    const resources = [resource(app, "Progressing", { children: [stuckPod] })];
    const first = decide(health, { ...seen, resources });
    assert.deepEqual([first.stuck, [...first.suspects]], [[], [pod]]);

    const second = decide(health, { ...seen, resources, suspects: first.suspects });
    assert.deepEqual(second.stuck, ['demo:deployment/app: demo:pod/app-1: Back-off pulling image "x"']);
  });

  it("goes on while a container is restarted", () => {
    const resources = [resource(app, "Progressing", { children: [crashingPod] })];
    const verdict = decide(health, { ...seen, resources, suspects: new Set([pod]) });
    assert.deepEqual([verdict.stuck, verdict.waiting.length], [[], 1]);
  });

  it("includes named workloads that aren't in git", () => {
    const named = { ...health, ids: [app, web] };
    const workloads = [workload(app, "x:1", "updating")];
    assert.deepEqual(decide(named, { ...seen, workloads }).waiting, [
      "demo:deployment/app: updating",
      "demo:deployment/web: neither in git nor in the cluster",
    ]);
  });
});

describe("waiting for an image", () => {
  const image: Goal = { health: false, ids: [], image: parseImageRef("example.test/x:2") };

  it("goes on until all workloads with its repository run it and are ready", () => {
    const workloads = [workload(app, "example.test/x:1"), workload(web, "example.test/x:2", "updating")];
    assert.deepEqual(decide(image, { ...seen, workloads }).waiting, [
      "demo:deployment/app: runs example.test/x:1",
      "demo:deployment/web: example.test/x:2 is updating",
    ]);
  });

  it("is over then, and others don't matter", () => {
    const workloads = [workload(app, "example.test/x:2"), workload(web, "example.test/y:1", "updating")];
    const { waiting, reached } = decide(image, { ...seen, workloads });
    assert.deepEqual([waiting, reached], [[], ["example.test/x:2 runs in demo:deployment/app"]]);
  });

  it("goes on while nobody uses it", () => {
    assert.deepEqual(decide(image, seen).waiting, [
      "no workload uses an image of the repository of example.test/x:2",
    ]);
  });
});

describe("what is excluded", () => {
  const excluded = [app];
  const sick = resource(app, "Degraded", { message: "down" });
  const well = resource(web, "Healthy");

  it("counts neither for health, nor for an image, nor if it's refused", () => {
    const wanted = { ...sync, health: true, image: parseImageRef("example.test/app:2"), excluded };
    const lastSync = { ...status.lastSync, errors: [refused] };
    const workloads = [workload(app, "example.test/app:1"), workload(web, "example.test/app:2")];

    const { reached, waiting, stuck } = decide(wanted, {
      ...seen,
      status: { ...status, lastSync },
      resources: [sick, well],
      workloads,
    });

    assert.deepEqual([waiting, stuck], [[], []]);
    assert.deepEqual(reached, [
      "synced to 0123456",
      "all 1 other resources are healthy",
      "example.test/app:2 runs in demo:deployment/web",
    ]);
  });

  it("doesn't hide what else is wrong", () => {
    const { waiting } = decide(
      { ...health, excluded },
      { ...seen, resources: [sick, resource(web, "Progressing")] },
    );

    assert.equal(waiting.length, 1);
  });
});

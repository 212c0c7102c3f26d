import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseImageRef, unknownImageInfo } from "@weir/flux";
import type { GitConfigReport, StatusReport, Suspendable } from "@weir/flux/api";
import {
  changedState,
  mostWorkloads,
  problemOf,
  type Reading,
  stateOf,
  withoutCredentials,
  workloadsOf,
} from "../../../src/daemons/snapshot.ts";
import { deployments } from "../../support/workload-reports.ts";

const git: GitConfigReport = {
  url: "https://user:secret@git.test/repo",
  branch: "main",
  path: "a",
  publicSshKey: { key: "", fingerprints: null },
  status: "ready",
  errors: "",
};
const nothing: Reading = {
  ...{ version: undefined, git: undefined, workloads: undefined, images: undefined },
  ...{ unapplied: undefined, isWeir: false, status: undefined, problem: "" },
};
const status: StatusReport = {
  git: { url: "", branch: "main", status: "ready", errors: "" },
  ...{ head: "c1", synced: "c1", behind: 0, automates: true, findings: [], unknown: [], suspensions: [] },
  lastSync: {
    ...{ revision: "c1", endedAt: undefined, failure: "", errors: [] },
    ...{ isRunning: false, waitingFor: [] },
  },
};

describe("the workloads of a reading", () => {
  it("have the newest image of each container, as far as it's known", () => {
    const [web, api] = deployments(2);
    assert.ok(web && api);
    const newest = parseImageRef("ghcr.io/example/web-0:1.3");
    const found = {
      ...{
        name: "app",
        current: unknownImageInfo(newest),
        available: [],
        availableError: "",
        availableCount: 9,
      },
      latestFiltered: unknownImageInfo(newest),
      ...{ newAvailableCount: 5, filteredCount: 4, newFilteredCount: 3 },
    };
    const images = [{ id: web.id, containers: [found] }];

    const listed = workloadsOf({ ...nothing, workloads: [{ ...web, status: "error" }, api], images });

    assert.deepEqual(
      listed.map(({ name, kind, namespace, health, containers }) => [
        name,
        kind,
        namespace,
        health,
        containers,
      ]),
      [
        [
          ...["web-0", "deployment", "shop", "degraded"],
          [
            {
              name: "app",
              image: "ghcr.io/example/web-0:1.0",
              newest: "ghcr.io/example/web-0:1.3",
              newer: 3,
            },
          ],
        ],
        [
          ...["web-1", "deployment", "shop", "healthy"],
          [{ name: "app", image: "ghcr.io/example/web-1:1.0", newest: "", newer: 0 }],
        ],
      ],
    );
  });
});

describe("the state of a reading", () => {
  it("has only what the daemon said, and no credentials", () => {
    assert.deepEqual(stateOf({ ...nothing, version: "1.25.4", git }, 0), {
      ...{ lastSeenAt: new Date(0), kind: "flux", problem: "", daemonVersion: "1.25.4" },
      ...{ gitUrl: "https://git.test/repo", gitBranch: "main", gitPath: "a", gitStatus: "ready" },
    });
  });

  for (const [what, reading, syncState] of [
    ["everything is applied", { unapplied: [], workloads: [] }, "synced"],
    ["commits aren't applied", { unapplied: ["c2", "c1"] }, "behind"],
    [
      "a workload couldn't be applied",
      { unapplied: [], workloads: deployments(1).map((each) => ({ ...each, syncError: "refused" })) },
      "failed",
    ],
    ["nothing is known", {}, undefined],
  ] as const) {
    it(`of Flux v1 is ${syncState ?? "not there"} if ${what}`, () => {
      assert.equal(stateOf({ ...nothing, ...reading }, 0).syncState, syncState);
    });
  }

  it("has the problem of git if there's no other", () => {
    const broken = { ...git, errors: "cannot clone ssh://git:pw@git.test/repo: refused" };

    assert.equal(
      stateOf({ ...nothing, git: broken }, 0).problem,
      "cannot clone ssh://git@git.test/repo: refused",
    );
    assert.equal(stateOf({ ...nothing, git: broken, problem: "no cluster" }, 0).problem, "no cluster");
  });

  it("tells a suspended sync from suspended automation", () => {
    const suspension = { reason: "", user: "", since: new Date(0) };
    const stateWith = (...what: readonly Suspendable[]) => {
      const suspensions = what.map((each) => ({ ...suspension, what: each }));
      const { suspended, syncSuspended } = stateOf(
        { ...nothing, isWeir: true, status: { ...status, suspensions } },
        0,
      );
      return { suspended, syncSuspended };
    };

    assert.deepEqual(stateWith(), { suspended: false, syncSuspended: false });
    assert.deepEqual(stateWith("automation"), { suspended: true, syncSuspended: false });
    assert.deepEqual(stateWith("automation", "sync"), { suspended: true, syncSuspended: true });
  });

  it("says that there are more workloads than are kept, unless something worse is wrong", () => {
    const [one] = deployments(1);
    assert.ok(one !== undefined);
    const workloads = Array.from({ length: mostWorkloads + 1 }, () => one);

    const said = `Of its ${mostWorkloads + 1} workloads, only ${mostWorkloads} are shown.`;
    assert.equal(stateOf({ ...nothing, workloads }, 0).problem, said);
    assert.equal(stateOf({ ...nothing, workloads: workloads.slice(1) }, 0).problem, "");
    assert.equal(stateOf({ ...nothing, workloads, problem: "no cluster" }, 0).problem, "no cluster");
    assert.equal(problemOf({ ...nothing, workloads }), "");
  });

  it("is written only where it's different", () => {
    const before = { gitUrl: "a", lastSyncAt: new Date(1), suspended: false, lastSeenAt: new Date(1) };
    const after = { gitUrl: "b", lastSyncAt: new Date(1), suspended: false, lastSeenAt: new Date(2) };

    assert.deepEqual(changedState(before, after), { gitUrl: "b" });
  });
});

describe("an address", () => {
  for (const [address, shown] of [
    ["https://token@git.test/repo.git", "https://git.test/repo.git"],
    ["https://user:pw@git.test/repo.git", "https://git.test/repo.git"],
    ["ssh://git@git.test/repo", "ssh://git@git.test/repo"],
    ["ssh://git:pw@git.test/repo", "ssh://git@git.test/repo"],
    ["git@git.test:team/repo", "git@git.test:team/repo"],
  ] as const) {
    it(`${address} is shown as ${shown}`, () => assert.equal(withoutCredentials(address), shown));
  }
});

import assert from "node:assert/strict";
import { it } from "node:test";
import { encodeUpdateSpec, FluxError, parseImageRef, parseResourceId } from "@weir/flux";
import type { JobStatusReport, WorkloadStatusReport } from "@weir/flux/api";
import { until } from "@weir/testing";
import { DialError } from "../../../../src/api/upstream/errors.ts";
import { listEvents } from "../../../src/store/events.ts";
import { createJob } from "../../../src/store/job-lifecycle.ts";
import { findJob, type Job, type NewJob } from "../../../src/store/jobs.ts";
import { listWorkloads } from "../../../src/store/workloads.ts";
import { describeOnBothDatabases } from "../../support/databases.ts";
import { SimulatedDaemon } from "../../support/simulated-daemon.ts";
import { TestConsole } from "../../support/test-console.ts";

const { signal } = new AbortController();
const id = parseResourceId("shop:deployment/web");
const web: WorkloadStatusReport = {
  id,
  containers: [{ name: "app", image: parseImageRef("ghcr.io/example/web:1.0") }],
  readOnly: "",
  status: "ready",
  rollout: { desired: 2, updated: 2, ready: 2, available: 2, outdated: 0, messages: null },
  syncError: "",
  antecedent: "",
  labels: null,
  policies: { locked: "true", locked_msg: "until Monday" },
};
const token = "t0ken";

describeOnBothDatabases("the hub", (databases) => {
  it("refuses daemons and events without a token of an instance, and endpoints that don't exist", async () => {
    await using database = await databases.open();
    await using console = await TestConsole.start(database);
    await console.addInstance("prod", token);

    for (const [given, version, status] of [
      ["wrong", 11, 401],
      ["", 11, 401],
      [token, 5, 404],
      [token, 13, 404],
    ] as const) {
      await assert.rejects(
        SimulatedDaemon.connect(console.url, { token: given, version }),
        (error) => error instanceof DialError && error.status === status,
      );
    }
    assert.equal((await post(console, "wrong", event("lock"))).status, 401);
  });

  it("knows what a connected daemon of Flux v1 says, and that it has gone", async () => {
    await using database = await databases.open();
    await using console = await TestConsole.start(database);
    const instanceId = await console.addInstance("prod", token);
    const answers = { listWorkloads: () => Promise.resolve([web]) };
    const daemon = await SimulatedDaemon.connect(console.url, { token, answers });

    const instance = await console.instanceWhen(
      instanceId,
      "the first reading",
      (each) => each.gitUrl !== "",
    );
    const { items } = await listWorkloads(
      database.connection,
      { scope: "everything" },
      { sort: "namespace", descending: false, limit: 10 },
    );
    await daemon[Symbol.asyncDispose]();
    await console.instanceWhen(instanceId, "the end", ({ connected }) => !connected);

    const { connected, kind, daemonVersion, protocol, gitUrl, gitBranch, syncState, userAgent } = instance;
    assert.deepEqual(
      { connected, kind, daemonVersion, protocol, gitUrl, gitBranch, syncState, userAgent },
      {
        connected: true,
        kind: "flux",
        daemonVersion: "1.2.3",
        protocol: "11",
        gitUrl: "ssh://git@git.test/repo",
        gitBranch: "master",
        syncState: "behind",
        userAgent: "fluxd/test",
      },
    );
    assert.deepEqual(
      items.map(({ id: name, health, locked, lockedReason, containers }) => [
        name,
        health,
        locked,
        lockedReason,
        containers,
      ]),
      [
        [
          id,
          "healthy",
          true,
          "until Monday",
          [{ name: "app", image: "ghcr.io/example/web:1.0", newest: "", newer: 0 }],
        ],
      ],
    );
    await assert.rejects(console.hub.daemon(instanceId), /the daemon is not connected/);
  });

  it("knows what only Weir's daemons say", async () => {
    await using database = await databases.open();
    await using console = await TestConsole.start(database);
    const instanceId = await console.addInstance("prod", token);
    const suspension = { what: "sync", reason: "move", user: "ann", since: new Date(0) } as const;
    const daemon = await console.connect({
      token,
      inspection: {
        status: () =>
          Promise.resolve({
            git: { url: "", branch: "master", status: "ready", errors: "" },
            ...{ head: "c2", synced: "c1", behind: 1, automates: true, findings: [], unknown: [] },
            lastSync: {
              ...{ revision: "c1", endedAt: new Date(1_000), failure: "", errors: [] },
              ...{ isRunning: false, waitingFor: [] },
            },
            suspensions: [suspension],
          }),
      },
    });

    const instance = await console.instanceWhen(instanceId, "its state", (each) => each.kind === "weir");
    const inspection = await (await console.hub.daemon(instanceId)).inspection(signal);

    const { syncState, headRevision, lastSyncRevision, suspended, suspendedReason } = instance;
    assert.deepEqual(
      [syncState, headRevision, lastSyncRevision, suspended, suspendedReason],
      ["behind", "c2", "c1", true, "syncing is suspended by ann because: move"],
    );
    assert.deepEqual(await inspection?.suspensions(signal), []);
    assert.equal(daemon.count("syncStatus"), 0);
  });

  it("stores each event once, however often it's posted, before it says so", async () => {
    await using database = await databases.open();
    await using console = await TestConsole.start(database);
    const instanceId = await console.addInstance("prod", token);
    const commits = [{ revision: "c2", message: "second" }];
    const sync = event("sync", { commits });
    const posted = [sync, sync, event("lock")];

    const answers = await Promise.all(posted.map((each) => post(console, token, each)));

    const { items } = await listEvents(
      database.connection,
      { scope: "everything" },
      { sort: "at", descending: false, limit: 10 },
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [204, 204, 204],
    );
    assert.deepEqual(
      items
        .map(({ type, message, workloadIds, namespaces, revision }) => [
          ...[type, message, workloadIds, namespaces, revision],
        ])
        .toSorted(),
      [
        ["lock", "lock", [id], ["shop"], ""],
        ["sync", `Sync: c2, ${id}`, [id], ["shop"], "c2"],
      ],
    );
    assert.equal((await console.instance(instanceId)).lastSyncRevision, "c2");
  });

  it("closes an older connection of an instance when a newer one comes", async () => {
    await using database = await databases.open();
    await using console = await TestConsole.start(database);
    const instanceId = await console.addInstance("prod", token);
    const first = await console.connect({ token });
    await console.instanceWhen(instanceId, "the first", ({ connected }) => connected);

    await console.connect({
      token,
      answers: { version: () => "2.0.0" },
    });
    await first.closed;

    const { api } = await console.hub.daemon(instanceId);
    assert.equal(await api.version(signal), "2.0.0");
    assert.equal(console.hub.connections, 1);
    assert.equal((await console.instance(instanceId)).connected, true);
  });

  it("doesn't let a daemon that answers nothing hold up others", async () => {
    await using database = await databases.open();
    await using console = await TestConsole.start(database);
    const stuck = Array.from({ length: 20 }, (_, index) => `stuck-${index}`);
    for (const name of stuck) {
      await console.addInstance(name, name);
    }
    const instanceId = await console.addInstance("prod", token);
    const never = new Promise<never>(() => undefined);
    const daemons = await Promise.all(
      stuck.map((name) =>
        SimulatedDaemon.connect(console.url, { token: name, answers: { version: () => never } }),
      ),
    );
    await console.connect({ token });

    await console.instanceWhen(instanceId, "a reading", ({ gitUrl }) => gitUrl !== "");
    await Promise.all(daemons.map((daemon) => daemon[Symbol.asyncDispose]()));
  });

  it("sends a job once, and follows it to its end", async () => {
    await using database = await databases.open();
    await using console = await TestConsole.start(database);
    const instanceId = await console.addInstance("prod", token);
    let asked = 0;
    const daemon = await console.connect({
      token,
      answers: {
        jobStatus: () => {
          asked += 1;
          return Promise.resolve(
            asked < 2
              ? { state: "running", error: "", result: {} }
              : { state: "succeeded", error: "", result: { revision: "c3" } },
          );
        },
      },
    });

    const job = await createJob(database.connection, newJob(instanceId, "1"), Date.now());
    await console.wake(instanceId);
    const done = await jobWhen(console, job.id, ({ endedAt }) => endedAt !== null);

    assert.deepEqual([done.state, done.revision, done.daemonJobId], ["succeeded", "c3", "job-1"]);
    await console.wake(instanceId);
    await until("another look", () => asked >= 2);
    assert.equal(daemon.count("updateManifests"), 1);
  });

  it("finds jobs of which it wasn't told", async () => {
    await using database = await databases.open();
    await using console = await TestConsole.start(database, { heartbeat: 50 });
    const instanceId = await console.addInstance("prod", token);
    await console.connect({ token, answers: { jobStatus: (job) => Promise.resolve(succeeded(job)) } });
    await console.instanceWhen(instanceId, "the first reading", ({ gitUrl }) => gitUrl !== "");

    for (const key of ["1", "2"]) {
      const job = await createJob(database.connection, newJob(instanceId, key), Date.now());
      const done = await jobWhen(console, job.id, ({ endedAt }) => endedAt !== null);
      assert.equal(done.state, "succeeded");
    }
  });

  it("reads a daemon again as soon as a job of its instance has ended", async () => {
    await using database = await databases.open();
    await using console = await TestConsole.start(database);
    const instanceId = await console.addInstance("prod", token);
    let isReleased = false;
    const changed = {
      ...web,
      containers: [{ name: "app", image: parseImageRef("ghcr.io/example/web:1.1") }],
    };
    await console.connect({
      token,
      answers: {
        listWorkloads: () => Promise.resolve([isReleased ? changed : web]),
        jobStatus: (job) => {
          isReleased = true;
          return Promise.resolve(succeeded(job));
        },
      },
    });
    await console.instanceWhen(instanceId, "the first reading", ({ gitUrl }) => gitUrl !== "");

    await createJob(database.connection, newJob(instanceId, "1"), Date.now());
    await console.wake(instanceId);

    await until("what the job changed", async () => {
      const order = { sort: "namespace", descending: false, limit: 10 } as const;
      const { items } = await listWorkloads(database.connection, { scope: "everything" }, order);
      return items[0]?.containers[0]?.image === "ghcr.io/example/web:1.1";
    });
  });

  it("says why the daemon refused a job", async () => {
    await using database = await databases.open();
    await using console = await TestConsole.start(database);
    const instanceId = await console.addInstance("prod", token);
    const job = await createJob(database.connection, newJob(instanceId, "1"), Date.now());
    await console.connect({
      token,
      answers: {
        updateManifests: () => Promise.reject(new FluxError("user", "git is read-only", "Help.\n")),
      },
    });

    const done = await jobWhen(console, job.id, ({ endedAt }) => endedAt !== null);

    assert.deepEqual([done.state, done.error], ["failed", "git is read-only"]);
  });

  it("never sends a job again whose answer is lost, but finds what became of it", async () => {
    await using database = await databases.open();
    await using console = await TestConsole.start(database);
    const instanceId = await console.addInstance("prod", token);
    const job = await createJob(database.connection, newJob(instanceId, "1"), Date.now());
    const never = new Promise<never>(() => undefined);
    const first = await SimulatedDaemon.connect(console.url, {
      token,
      answers: { updateManifests: () => never },
    });
    await jobWhen(console, job.id, ({ state }) => state === "sent");
    await first[Symbol.asyncDispose]();

    const second = await console.connect({ token });
    await jobWhen(console, job.id, ({ state }) => state === "lost");
    const spec = newJob(instanceId, "1").spec;
    await post(console, token, event("commit", { revision: "c9", spec, result: {} }));
    const done = await jobWhen(console, job.id, ({ endedAt }) => endedAt !== null);

    assert.deepEqual([done.state, done.revision], ["succeeded", "c9"]);
    assert.equal(second.count("updateManifests"), 0);
  });

  it("asks a daemon of Weir's what became of a job whose answer is lost, and sends it no second time", async () => {
    await using database = await databases.open();
    await using console = await TestConsole.start(database);
    const instanceId = await console.addInstance("prod", token);
    const taken = await createJob(database.connection, newJob(instanceId, "1"), Date.now());
    const never = new Promise<never>(() => undefined);
    const first = await SimulatedDaemon.connect(console.url, {
      token,
      inspection: { requestJob: () => never },
    });
    await jobWhen(console, taken.id, ({ state }) => state === "sent");
    await first[Symbol.asyncDispose]();

    const asked: string[] = [];
    await console.connect({
      token,
      answers: { jobStatus: (job) => Promise.resolve(succeeded(job)) },
      inspection: { requestJob: ({ id: job }) => Promise.resolve(asked.push(job) > 0 ? job : "") },
    });
    const done = await jobWhen(console, taken.id, ({ endedAt }) => endedAt !== null);

    assert.deepEqual([done.state, done.revision, done.daemonJobId], ["succeeded", taken.id, taken.id]);
    assert.deepEqual(asked, []);
  });

  it("ends a job that a daemon of Weir's never got, or forgot", async () => {
    await using database = await databases.open();
    await using console = await TestConsole.start(database);
    const instanceId = await console.addInstance("prod", token);
    const { id: job } = await createJob(database.connection, newJob(instanceId, "1"), Date.now());
    const never = new Promise<never>(() => undefined);
    const first = await SimulatedDaemon.connect(console.url, {
      token,
      inspection: { requestJob: () => never },
    });
    await jobWhen(console, job, ({ state }) => state === "sent");
    await first[Symbol.asyncDispose]();

    const jobStatus = () => Promise.reject(new FluxError("missing", "unknown job", "Help.\n"));
    await console.connect({ token, answers: { jobStatus }, inspection: {} });
    const done = await jobWhen(console, job, ({ endedAt }) => endedAt !== null);

    assert.deepEqual([done.state, done.error.includes("Nothing was changed")], ["failed", true]);
  });

  it("gives up a lost job of Flux v1 of which there's no sign, and counts a commit for one job only", async () => {
    await using database = await databases.open();
    await using console = await TestConsole.start(database, { search: 500 });
    const instanceId = await console.addInstance("prod", token);
    const never = new Promise<never>(() => undefined);
    const jobs = [];
    for (const key of ["1", "2"]) {
      const { id: job } = await createJob(database.connection, newJob(instanceId, key), Date.now());
      jobs.push(job);
      const daemon = await SimulatedDaemon.connect(console.url, {
        token,
        answers: { updateManifests: () => never },
      });
      await jobWhen(console, job, ({ state }) => state === "sent");
      await daemon[Symbol.asyncDispose]();
    }
    const { spec } = newJob(instanceId, "1");
    await post(console, token, event("commit", { revision: "c9", spec, result: {} }));

    await console.connect({ token });
    const ended = await Promise.all(
      jobs.map((job) => jobWhen(console, job, ({ endedAt }) => endedAt !== null)),
    );

    assert.deepEqual(
      ended.map(({ state, revision }) => [state, revision]),
      [
        ["succeeded", "c9"],
        ["lost", ""],
      ],
    );
    assert.match(ended[1]?.error ?? "", /^Nobody knows what became of it/);
  });

  it("finds a lost sync of Flux v1 done once there's nothing left to apply", async () => {
    await using database = await databases.open();
    await using console = await TestConsole.start(database);
    const instanceId = await console.addInstance("prod", token);
    const sync = { type: "sync", cause: { user: "ann", message: "" } } as const;
    const job = { ...newJob(instanceId, "1"), kind: "sync", spec: encodeUpdateSpec(sync) } as const;
    const { id: jobId } = await createJob(database.connection, job, Date.now());
    const never = new Promise<never>(() => undefined);
    const first = await SimulatedDaemon.connect(console.url, {
      token,
      answers: { updateManifests: () => never },
    });
    await jobWhen(console, jobId, ({ state }) => state === "sent");
    await first[Symbol.asyncDispose]();

    const second = await console.connect({ token, answers: { syncStatus: () => Promise.resolve([]) } });
    const done = await jobWhen(console, jobId, ({ endedAt }) => endedAt !== null);

    assert.equal(done.state, "succeeded");
    assert.equal(second.count("updateManifests"), 0);
  });

  it("doesn't send what isn't admitted, and asks again if that can't be found out", async () => {
    await using database = await databases.open();
    let asked = 0;
    await using console = await TestConsole.start(database, {
      admitJob: () => {
        asked += 1;
        return asked === 1
          ? Promise.reject(new Error("not now"))
          : Promise.resolve({ isAdmitted: false, why: "Ann has left." });
      },
    });
    const instanceId = await console.addInstance("prod", token);
    const job = await createJob(database.connection, newJob(instanceId, "1"), Date.now());
    const daemon = await console.connect({ token });

    const done = await jobWhen(console, job.id, ({ endedAt }) => endedAt !== null);

    assert.deepEqual([done.state, done.error, asked], ["failed", "Ann has left.", 2]);
    assert.equal(daemon.count("updateManifests"), 0);
  });

  it("gives back what it holds when it stops", async () => {
    await using database = await databases.open();
    const console = await TestConsole.start(database);
    const instanceId = await console.addInstance("prod", token);
    const daemon = await SimulatedDaemon.connect(console.url, { token });
    await console.instanceWhen(instanceId, "it to connect", ({ connected }) => connected);

    await console[Symbol.asyncDispose]();

    await daemon.closed;
    assert.equal((await console.instance(instanceId)).connected, false);
  });
});

function newJob(instanceId: string, idempotencyKey: string): NewJob {
  const spec = new Map([[id, { add: { automated: "true" }, remove: {} }]]);
  return {
    ...{ instanceId, idempotencyKey, kind: "policy", workloadIds: [id], namespaces: ["shop"] },
    request: { kind: "policy" },
    spec: encodeUpdateSpec({ type: "policy", cause: { user: "ann", message: "" }, spec }),
    ...{ summary: "automate web", plan: null, planDigest: "", exact: false, needsApproval: false },
    requestedBy: { id: null, name: "ann", tokenId: null },
  };
}

function succeeded(revision: string): JobStatusReport {
  return { state: "succeeded", error: "", result: { revision } };
}

function jobWhen(console: TestConsole, jobId: string, is: (job: Job) => boolean): Promise<Job> {
  return until("the job", async () => {
    const job = await findJob(console.database.connection, jobId, "everything");
    return job !== undefined && is(job) && job;
  });
}

function event(type: string, metadata: unknown = null): unknown {
  const at = new Date().toISOString();
  return { type, startedAt: at, endedAt: at, serviceIDs: [id], logLevel: "info", metadata };
}

function post(console: TestConsole, withToken: string, body: unknown): Promise<Response> {
  return fetch(`${console.url}/v6/events`, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { Authorization: `Scope-Probe token=${withToken}` },
  });
}

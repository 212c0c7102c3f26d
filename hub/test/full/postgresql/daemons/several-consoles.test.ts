import assert from "node:assert/strict";
import { it } from "node:test";
import { type Clock, systemClock } from "@weir/base";
import { FluxError } from "@weir/flux";
import { until } from "@weir/testing";
import { topics } from "../../../../src/daemons/ports.ts";
import { askDaemon } from "../../../../src/operations/ask.ts";
import type { Database } from "../../../../src/store/database.ts";
import { removeInstance } from "../../../../src/store/instances.ts";
import { createJob } from "../../../../src/store/job-lifecycle.ts";
import { findJob, type Job, type NewJob } from "../../../../src/store/jobs.ts";
import { describeOnServer } from "../../../support/databases.ts";
import { TestConsole } from "../../../support/test-console.ts";

const { signal } = new AbortController();
const token = "t0ken";

describeOnServer("several consoles on one database", (databases) => {
  it("reach a daemon through any of them, with its answers and its refusals", async () => {
    const url = await databases.create();
    await using one = await databases.connect(url);
    await using other = await databases.connect(url);
    await using here = await TestConsole.start(one);
    await using there = await TestConsole.start(other);
    const instanceId = await here.addInstance("prod", token);
    const yaml = "é".repeat(100_000);
    await here.connect({
      token,
      answers: {
        exportAll: () => Promise.resolve(yaml),
        syncStatus: () => Promise.reject(new FluxError("missing", "no such ref", "Help.\n")),
        ping: () => Promise.reject(new Error("no cluster")),
      },
      inspection: {},
    });
    await here.instanceWhen(instanceId, "it to connect", ({ connected }) => connected);

    const { api, inspection } = await there.hub.daemon(instanceId);

    assert.equal(await api.version(signal), "1.2.3");
    assert.equal((await api.exportAll(signal)) === yaml, true);
    await assert.rejects(
      api.syncStatus("x", signal),
      (error) => error instanceof FluxError && error.kind === "missing" && error.advice === "Help.\n",
    );
    await assert.rejects(api.ping(signal), { name: "RemoteError", message: "no cluster" });
    assert.deepEqual(await (await inspection(signal))?.suspensions(signal), []);
  });

  it("end a call that nobody waits for", async () => {
    const url = await databases.create();
    await using one = await databases.connect(url);
    await using other = await databases.connect(url);
    await using here = await TestConsole.start(one);
    await using there = await TestConsole.start(other);
    const instanceId = await here.addInstance("prod", token);
    const daemon = await here.connect({
      token,
      answers: { exportAll: () => new Promise(() => undefined) },
    });
    await here.instanceWhen(instanceId, "it to connect", ({ connected }) => connected);
    const { api } = await there.hub.daemon(instanceId);
    const gone = new AbortController();

    const call = api.exportAll(gone.signal);
    gone.abort(new Error("went away"));

    await assert.rejects(call, /went away/);
    await daemon[Symbol.asyncDispose]();
    await there.instanceWhen(instanceId, "the end", ({ connected }) => !connected);
    await assert.rejects(api.version(signal), /not connected/);
  });

  it("close a connection when the daemon connects to another of them", async () => {
    const url = await databases.create();
    await using one = await databases.connect(url);
    await using other = await databases.connect(url);
    await using here = await TestConsole.start(one);
    await using there = await TestConsole.start(other);
    const instanceId = await here.addInstance("prod", token);
    const first = await here.connect({ token });
    await here.instanceWhen(instanceId, "the first", ({ connected }) => connected);

    await there.connect({
      token,
      answers: { version: () => "2.0.0" },
    });
    await first.closed;

    const { api } = await here.hub.daemon(instanceId);
    assert.equal(await api.version(signal), "2.0.0");
    const { connected, consoleId } = await here.instance(instanceId);
    assert.deepEqual([connected, consoleId], [true, there.consoleId]);
  });

  it("send a job once, whichever of them was asked for it", async () => {
    const url = await databases.create();
    await using one = await databases.connect(url);
    await using other = await databases.connect(url);
    await using here = await TestConsole.start(one);
    await using there = await TestConsole.start(other);
    const instanceId = await here.addInstance("prod", token);
    const daemon = await here.connect({
      token,
      answers: {
        jobStatus: () => Promise.resolve({ state: "failed", error: "no changes made in repo", result: {} }),
      },
    });
    await here.instanceWhen(instanceId, "it to connect", ({ connected }) => connected);

    const { id: jobId } = await createJob(other.connection, syncJob(instanceId), Date.now());
    await Promise.all([there.wake(instanceId), here.wake(instanceId)]);
    const job = await endedJob(other, jobId);

    assert.deepEqual([job.state, job.error], ["failed", "no changes made in repo"]);
    assert.equal(daemon.count("updateManifests"), 1);
  });

  it("keep each other's daemons although their clocks differ", async () => {
    const url = await databases.create();
    await using one = await databases.connect(url);
    await using other = await databases.connect(url);
    const intervals = { heartbeat: 100, silence: 5_000 };
    await using behind = await TestConsole.start(one, { ...intervals, clock: shifted(-600_000) });
    await using ahead = await TestConsole.start(other, { ...intervals, clock: shifted(600_000) });
    const instanceId = await behind.addInstance("prod", token);
    await behind.connect({ token });
    await behind.instanceWhen(instanceId, "the daemon", ({ connected }) => connected);

    for (const { consoleId } of [ahead, behind, ahead]) {
      const first = await heartbeatOf(one, consoleId);
      await until("another heartbeat", async () => (await heartbeatOf(one, consoleId)) > first);
    }

    const { connected, consoleId } = await behind.instance(instanceId);
    assert.deepEqual([connected, consoleId], [true, behind.consoleId]);
  });

  it("take over what a console held that was killed", async () => {
    const url = await databases.create();
    await using one = await databases.connect(url);
    await using other = await databases.connect(url);
    await using killed = await TestConsole.start(one, { heartbeat: 60_000 });
    const instanceId = await killed.addInstance("prod", token);
    await killed.connect({ token });
    await killed.instanceWhen(instanceId, "it to connect", ({ connected }) => connected);
    await killed.die();

    await using survivor = await TestConsole.start(other, { heartbeat: 200, silence: 1_000 });
    await survivor.instanceWhen(instanceId, "its end", ({ connected }) => !connected);
    await survivor.connect({ token });

    const { consoleId } = await survivor.instanceWhen(instanceId, "its return", ({ connected }) => connected);
    assert.equal(consoleId, survivor.consoleId);
  });

  it("say soon that a daemon can't be reached whose console was killed", async () => {
    const url = await databases.create();
    await using one = await databases.connect(url);
    await using other = await databases.connect(url);
    await using killed = await TestConsole.start(one, { heartbeat: 60_000 });
    await using survivor = await TestConsole.start(other);
    const instanceId = await killed.addInstance("prod", token);
    await killed.connect({ token });
    await killed.instanceWhen(instanceId, "it to connect", ({ connected }) => connected);
    await killed.die();

    const asked = { hub: survivor.hub, clock: systemClock, instanceId, signal };
    const answer = askDaemon(asked, (daemon, within) => daemon.api.version(within));

    await assert.rejects(answer, { kind: "unavailable", advice: /^Try again in some seconds/ });
  });

  it("store events while the database is restarted only if they say so", async () => {
    await using database = await databases.connect(await databases.create());
    await using console = await TestConsole.start(database);
    await console.addInstance("prod", token);
    const at = new Date().toISOString();
    const post = async (message: string): Promise<number> => {
      const body = JSON.stringify({ type: "lock", startedAt: at, endedAt: at, message });
      const headers = { Authorization: `Scope-Probe token=${token}` };
      const { status } = await fetch(`${console.url}/v6/events`, { method: "POST", body, headers });
      return status;
    };

    const accepted: string[] = [];
    const restarted = databases.server.stop().then(() => databases.server.start());
    for (let count = 0; count < 200; count += 1) {
      if ((await post(`event ${count}`)) === 204) {
        accepted.push(`event ${count}`);
      }
    }
    await restarted;
    await until("events to be stored again", async () => (await post("the last")) === 204);

    const rows = await database.connection.selectFrom("events").select("message").execute();
    const stored = new Set(rows.map(({ message }) => message));
    assert.deepEqual(
      accepted.filter((message) => !stored.has(message)),
      [],
    );
  });

  it("keep what a daemon answered while the database was restarted", async () => {
    await using database = await databases.connect(await databases.create());
    await using console = await TestConsole.start(database);
    const instanceId = await console.addInstance("prod", token);
    const jobId = (await createJob(database.connection, syncJob(instanceId), Date.now())).id;

    const stopped = Promise.withResolvers<undefined>();
    await console.connect({
      token,
      answers: {
        updateManifests: async () => {
          await databases.server.stop();
          stopped.resolve(undefined);
          return "job-7";
        },
        jobStatus: () => Promise.resolve({ state: "succeeded", error: "", result: { revision: "c1" } }),
      },
    });
    await stopped.promise;
    await databases.server.start();
    const job = await endedJob(database, jobId);

    assert.deepEqual([job.state, job.daemonJobId, job.revision], ["succeeded", "job-7", "c1"]);
  });

  it("close the connection of an instance whose token isn't valid any more", async () => {
    await using database = await databases.connect(await databases.create());
    await using console = await TestConsole.start(database);
    const instanceId = await console.addInstance("prod", token);
    const daemon = await console.connect({ token });
    await console.instanceWhen(instanceId, "it to connect", ({ connected }) => connected);

    await removeInstance(database.connection, instanceId, Date.now());
    await console.publish(topics.tokens, { instanceId });

    await daemon.closed;
    await assert.rejects(console.connect({ token }), /401/);
  });
});

/** A clock that's ahead by some milliseconds. */
function shifted(ms: number): Clock {
  return {
    now: () => systemClock.now() + ms,
    sleep: (pause, until) => systemClock.sleep(pause, until),
  };
}

async function heartbeatOf({ connection }: Database, id: string): Promise<number> {
  const consoles = connection.selectFrom("consoles").select("heartbeatAt").where("id", "=", id);
  const console = await consoles.executeTakeFirst();
  return console?.heartbeatAt.getTime() ?? 0;
}

function syncJob(instanceId: string): NewJob {
  return {
    ...{ instanceId, idempotencyKey: "1", kind: "sync", spec: { type: "sync", cause: {}, spec: {} } },
    ...{
      request: { kind: "sync" },
      workloadIds: [],
      namespaces: [],
      summary: "sync",
      plan: null,
      planDigest: "",
      exact: false,
    },
    ...{ needsApproval: false, requestedBy: { id: null, name: "ann", tokenId: null } },
  };
}

function endedJob(database: Database, jobId: string): Promise<Job> {
  return until("the job", async () => {
    const found = await findJob(database.connection, jobId, "everything");
    return found !== undefined && found.endedAt !== null && found;
  });
}

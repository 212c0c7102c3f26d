import assert from "node:assert/strict";
import { it } from "node:test";
import { Problem, type ProblemKind } from "../../../src/problem/problem.ts";
import {
  cancelJob,
  claimJob,
  createJob,
  decideJob,
  endJob,
  expireJobs,
  giveUpJob,
  giveUpJobsOfAbsent,
  loseUnansweredJobs,
  releaseJob,
} from "../../../src/store/job-lifecycle.ts";
import { findJob, type JobFilter, listJobs, type NewJob } from "../../../src/store/jobs.ts";
import { releaseLease, takeLease } from "../../../src/store/leases.ts";
import type { Connection } from "../../../src/store/schema.ts";
import { describeOnBothDatabases, describeOnServer } from "../../support/databases.ts";
import { addConnectedInstance, now } from "../../support/stored.ts";

const day = 86_400_000;

const done = { state: "succeeded", revision: "abc", result: { pushed: true }, error: "" } as const;

describeOnBothDatabases("jobs", (databases) => {
  it("are made once for each key", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const { instanceId } = await addConnectedInstance(connection, "prod");

    const first = await createJob(connection, request(instanceId, "k"), now);
    const again = await createJob(connection, request(instanceId, "k"), now + 1);

    assert.deepEqual(again, first);
    assert.equal(first.state, "queued");
    await assert.rejects(
      createJob(connection, request(instanceId, "k", { request: { other: true } }), now),
      isProblem("conflict"),
    );
  });

  it("are sent in order, each to one connection that has the lease", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const lease = await addConnectedInstance(connection, "prod");
    const first = await createJob(connection, request(lease.instanceId, "1"), now);
    const second = await createJob(connection, request(lease.instanceId, "2"), now + 1);

    assert.equal(await claimJob(connection, { ...lease, leaseId: "older" }, { now }), undefined);
    assert.equal((await claimJob(connection, lease, { now }))?.id, first.id);
    assert.equal((await claimJob(connection, lease, { now }))?.id, second.id);
    assert.equal(await claimJob(connection, lease, { now }), undefined);
  });

  it("are lost if the connection is lost before the answer, never sent again, and can still be found", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const lease = await addConnectedInstance(connection, "prod");
    const { id } = await createJob(connection, request(lease.instanceId, "1"), now);
    await claimJob(connection, lease, { now });

    assert.deepEqual(await loseUnansweredJobs(connection, lease.instanceId), []);
    const newer = { ...lease, leaseId: "newer" };
    await takeLease(connection, { ...newer, userAgent: "", protocol: "" }, now);
    const lost = await loseUnansweredJobs(connection, lease.instanceId);

    assert.deepEqual(
      lost.map((job) => [job.id, job.state]),
      [[id, "lost"]],
    );
    assert.equal(await claimJob(connection, newer, { now }), undefined);
    assert.equal(await endJob(connection, { id, ...done }, now), true);
  });

  it("end by themselves if nobody approves them, no daemon takes them, or it never says what became of them", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const lease = await addConnectedInstance(connection, "prod");
    const { id: sent } = await createJob(connection, request(lease.instanceId, "1"), now);
    await claimJob(connection, lease, { now });
    const { id: queued } = await createJob(connection, request(lease.instanceId, "2"), now);
    const asked = { needsApproval: true };
    const { id: waiting } = await createJob(connection, request(lease.instanceId, "3", asked), now);
    const states = async () =>
      Promise.all(
        [sent, queued, waiting].map(async (id) => {
          const job = await findJob(connection, id, "everything");
          return `${job?.state ?? ""}${job?.endedAt === null ? "" : " ended"}`;
        }),
      );

    assert.deepEqual(await expireJobs(connection, now + day), []);
    const expired = await expireJobs(connection, now + day + 1, lease.instanceId);
    assert.deepEqual(await giveUpJobsOfAbsent(connection, now + day + 1), []);
    await releaseLease(connection, lease, now + day + 1);
    const lost = await giveUpJobsOfAbsent(connection, now + day + 1);
    assert.deepEqual([expired.map(({ id }) => id), lost.map(({ id }) => id)], [[queued], [sent]]);
    assert.deepEqual(await states(), ["lost ended", "cancelled ended", "waiting-for-approval"]);
    await expireJobs(connection, now + 7 * day + 1);
    assert.deepEqual(await states(), ["lost ended", "cancelled ended", "cancelled ended"]);
    assert.equal(await endJob(connection, { id: sent, ...done }, now), false);
  });

  it("can be given up when they're lost, and go back into the queue if they weren't sent after all", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const lease = await addConnectedInstance(connection, "prod");
    const { id } = await createJob(connection, request(lease.instanceId, "1"), now);

    const claimed = await claimJob(connection, lease, { now, named: true });
    assert.equal(claimed?.daemonJobId, id);
    assert.equal(await releaseJob(connection, id, { ...lease, leaseId: "newer" }), false);
    assert.equal(await releaseJob(connection, id, lease), true);
    assert.equal((await findJob(connection, id, "everything"))?.daemonJobId, "");
    await claimJob(connection, lease, { now });
    await releaseLease(connection, lease, now);
    await loseUnansweredJobs(connection, lease.instanceId);
    const cancelled = await cancelJob(connection, id, now);

    assert.deepEqual([cancelled?.state, cancelled?.endedAt?.getTime()], ["lost", now]);
    assert.equal(await giveUpJob(connection, id, now), false);
  });

  it("wait for a second person, who approves the plan that was shown", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const lease = await addConnectedInstance(connection, "prod");
    for (const id of ["ada", "bob"]) {
      const user = { id, login: id, name: id, email: "", groups: [], createdAt: new Date(now) };
      await connection.insertInto("users").values(user).execute();
    }
    const asked = { needsApproval: true, requestedBy: { id: "ada", name: "Ada", tokenId: null } };
    const first = await createJob(connection, request(lease.instanceId, "1", asked), now);
    const second = await createJob(connection, request(lease.instanceId, "2", asked), now + 1);
    const bob = {
      approved: true,
      planDigest: "digest",
      by: { id: "bob", name: "Bob", tokenId: null },
      comment: "fine",
    };

    assert.equal(await claimJob(connection, lease, { now }), undefined);
    await assert.rejects(
      decideJob(connection, { ...bob, id: first.id, by: { id: "ada", name: "Ada", tokenId: null } }, now),
      isProblem("refused"),
    );
    await assert.rejects(
      decideJob(connection, { ...bob, id: first.id, planDigest: "other" }, now),
      isProblem("conflict"),
    );
    await assert.rejects(decideJob(connection, { ...bob, id: "none" }, now), isProblem("not-found"));
    await decideJob(connection, { ...bob, id: first.id }, now);
    await assert.rejects(decideJob(connection, { ...bob, id: first.id }, now), isProblem("conflict"));
    const rejected = await decideJob(connection, { ...bob, id: second.id, approved: false }, now);

    assert.deepEqual(
      [rejected.state, rejected.endedAt, rejected.decidedByName],
      ["rejected", new Date(now), "Bob"],
    );
    assert.equal((await claimJob(connection, lease, { now }))?.id, first.id);
    assert.equal(await claimJob(connection, lease, { now }), undefined);
  });

  it("are listed by what they are", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const prod = await addConnectedInstance(connection, "prod");
    const test = await addConnectedInstance(connection, "test");
    await createJob(connection, request(prod.instanceId, "1"), now);
    await createJob(
      connection,
      request(prod.instanceId, "2", { kind: "policy", namespaces: ["shop"] }),
      now + 1,
    );
    await createJob(connection, request(test.instanceId, "3", { kind: "sync", workloadIds: [] }), now + 2);
    await claimJob(connection, test, { now });
    const found = async (filter: Partial<JobFilter>): Promise<readonly string[]> =>
      kindsOf(connection, filter);

    assert.deepEqual(await found({}), ["sync", "policy", "release"]);
    assert.deepEqual(await found({ instanceIds: [prod.instanceId] }), ["policy", "release"]);
    assert.deepEqual(await found({ states: ["sent"] }), ["sync"]);
    assert.deepEqual(await found({ workloadIds: ["default:deployment/helloworld"] }), ["policy", "release"]);
    assert.deepEqual(await found({ scope: [{ instanceId: prod.instanceId, namespace: "shop" }] }), [
      "policy",
    ]);
  });

  it("are refused if they're too large to store", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const { instanceId } = await addConnectedInstance(connection, "prod");

    const large = createJob(connection, request(instanceId, "1", { spec: "x".repeat(2_000_000) }), now);

    await assert.rejects(large, isProblem("invalid"));
  });
});

describeOnServer("jobs of several consoles", (databases) => {
  it("are claimed once, however many ask", async () => {
    const url = await databases.create();
    await using one = await databases.connect(url);
    await using other = await databases.connect(url);
    const lease = await addConnectedInstance(one.connection, "prod");
    for (let index = 0; index < 10; index++) {
      await createJob(one.connection, request(lease.instanceId, `${index}`), now + index);
    }

    const claims = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        claimJob((index % 2 === 0 ? one : other).connection, lease, { now }),
      ),
    );

    const ids = claims.flatMap((job) => job?.id ?? []);
    assert.deepEqual([ids.length, new Set(ids).size], [10, 10]);
  });

  it("are made once, however many ask with the same key", async () => {
    const url = await databases.create();
    await using one = await databases.connect(url);
    await using other = await databases.connect(url);
    const { instanceId } = await addConnectedInstance(one.connection, "prod");

    const jobs = await Promise.all(
      [one, other, one, other].map(({ connection }) => createJob(connection, request(instanceId, "k"), now)),
    );

    assert.equal(new Set(jobs.map(({ id }) => id)).size, 1);
  });
});

function request(instanceId: string, idempotencyKey: string, changes: Partial<NewJob> = {}): NewJob {
  return {
    instanceId,
    idempotencyKey,
    kind: "release",
    request: { kind: "release" },
    spec: { type: "image", nested: [{ b: 1, a: "\0" }] },
    workloadIds: ["default:deployment/helloworld"],
    namespaces: ["default"],
    summary: "Release helloworld:2",
    plan: null,
    planDigest: "digest",
    exact: false,
    needsApproval: false,
    requestedBy: { id: null, name: "Ada", tokenId: null },
    ...changes,
  };
}

async function kindsOf(connection: Connection, filter: Partial<JobFilter>): Promise<readonly string[]> {
  const page = { sort: "requestedAt", descending: true, limit: 10 } as const;
  const { items } = await listJobs(connection, { scope: "everything", ...filter }, page);
  return items.map(({ kind }) => kind);
}

function isProblem(kind: ProblemKind): (error: unknown) => boolean {
  return (error) => error instanceof Problem && error.kind === kind;
}

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  acceptJob,
  cancelJob,
  claimJob,
  createJob,
  decideJob,
  endJob,
  expireJobs,
  giveUpJob,
  giveUpJobsOfAbsent,
  loseJob,
  loseUnansweredJobs,
  releaseJob,
} from "../../../../src/store/job-lifecycle.ts";
import {
  type JobState,
  jobStates,
  type Transition,
  type TransitionName,
  transitions,
} from "../../../../src/store/job-states.ts";
import { findJob } from "../../../../src/store/jobs.ts";
import { type Lease, releaseLease, takeLease } from "../../../../src/store/leases.ts";
import type { Connection } from "../../../../src/store/schema.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { addConnectedInstance, now } from "../../../support/stored.ts";

const table = Object.entries(transitions) as readonly (readonly [TransitionName, Transition])[];

/** A state, and whether the job has ended there: only "lost" is both. */
type Place = `${JobState}${"" | " ended"}`;

const begin: readonly Place[] = ["waiting-for-approval", "queued"];

/** The shortest way to each place that can be reached, from where it begins. */
const ways = waysTo();

describe("the table of a job's states", () => {
  it("leads to each state, and from each that hasn't ended to an end", () => {
    assert.deepEqual(
      new Set([...ways.keys()].map((place) => place.replace(" ended", ""))),
      new Set(jobStates),
    );
    const dead = [...ways.keys()].filter((place) => !place.endsWith(" ended") && next(place).length === 0);
    assert.deepEqual(dead, []);
  });

  it("has no state that is both for good and not, but for lost jobs", () => {
    const both = jobStates.filter((state) => ways.has(state) && ways.has(`${state} ended`));
    assert.deepEqual(both, ["lost"]);
  });
});

describeOnBothDatabases("a job", (databases) => {
  it("takes each way of the table, and no other", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const told: string[] = [];
    const expected: string[] = [];
    for (const [place, way] of ways) {
      let job: Walked | undefined;
      for (const [name, { from, to, ends }] of table) {
        job ??= await Walked.at(connection, way, `${place} ${name}`);
        const leads = !place.endsWith(" ended") && (from as readonly string[]).includes(place);
        // Whoever cancels a lost job gives it up.
        const after =
          name === "cancel" && place === "lost" ? "lost ended" : leads ? placeOf(to, ends) : place;

        await job.take(name).catch(() => undefined);

        const now = await job.place();
        told.push(`${place} -${name}-> ${now}`);
        expected.push(`${place} -${name}-> ${after}`);
        job = now === place ? job : undefined;
      }
    }

    assert.deepEqual(told, expected);
  });

  it("ends by itself when it has waited for too long, where it can be cancelled", async () => {
    await using database = await databases.open();
    const { connection } = database;
    for (const [place, way] of ways) {
      const job = await Walked.at(connection, way, place);
      await expireJobs(connection, now + 8 * 86_400_000, job.instanceId);

      assert.equal(await job.place(), isIn("cancel", place) ? "cancelled ended" : place);
    }
  });
});

/** A job of an instance of its own, which goes where a test sends it. */
class Walked {
  readonly instanceId: string;
  readonly #connection: Connection;
  readonly #lease: Lease;
  readonly #id: string;

  constructor(connection: Connection, lease: Lease, id: string) {
    this.#connection = connection;
    this.#lease = lease;
    this.#id = id;
    this.instanceId = lease.instanceId;
  }

  static async at(
    connection: Connection,
    [first, ...steps]: readonly [Place, ...TransitionName[]],
    name: string,
  ): Promise<Walked> {
    const lease = await addConnectedInstance(connection, name);
    const { id } = await createJob(
      connection,
      {
        ...{ instanceId: lease.instanceId, idempotencyKey: "k", kind: "sync", request: {}, spec: {} },
        ...{ workloadIds: [], namespaces: [], summary: "Sync", plan: null, planDigest: "d", exact: false },
        needsApproval: first === "waiting-for-approval",
        requestedBy: { id: null, name: "Ada", tokenId: null },
      },
      now,
    );
    const job = new Walked(connection, lease, id);
    for (const step of steps) {
      await job.take(step);
    }
    return job;
  }

  async place(): Promise<Place> {
    const { state, endedAt } = (await findJob(this.#connection, this.#id, "everything")) ?? assert.fail();
    return placeOf(state, endedAt !== null || undefined);
  }

  async take(name: TransitionName): Promise<unknown> {
    const connection = this.#connection;
    const lease = this.#lease;
    const id = this.#id;
    const by = { id: "bob", name: "Bob", tokenId: null };
    const ended = { id, revision: "", result: null, error: "" };
    switch (name) {
      case "approve":
      case "reject": {
        await connection
          .insertInto("users")
          .values({ id: "bob", login: "bob", name: "Bob", email: "", groups: [], createdAt: new Date(now) })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        const approved = name === "approve";
        return decideJob(connection, { id, approved, planDigest: "d", by, comment: "" }, now);
      }
      case "cancel":
        return cancelJob(connection, id, now);
      case "claim":
        return claimJob(connection, lease, { now });
      case "release":
        return releaseJob(connection, id, lease);
      case "accept":
        return acceptJob(connection, { id, daemonJobId: "d1" });
      case "succeed":
        return endJob(connection, { ...ended, state: "succeeded" }, now);
      case "fail":
        return endJob(connection, { ...ended, state: "failed" }, now);
      case "miss":
        return this.#away(() => loseUnansweredJobs(connection, lease.instanceId));
      case "forget":
        return loseJob(connection, id);
      case "giveUp":
        return giveUpJob(connection, id, now);
      case "abandon":
        return this.#away(() => giveUpJobsOfAbsent(connection, now + 2 * 86_400_000));
    }
  }

  /** While the daemon isn't connected. */
  async #away(work: () => Promise<unknown>): Promise<void> {
    await releaseLease(this.#connection, this.#lease, now);
    await work();
    await takeLease(this.#connection, { ...this.#lease, userAgent: "", protocol: "" }, now);
  }
}

function placeOf(state: JobState, ends: true | undefined): Place {
  return ends ? `${state} ended` : state;
}

function isIn(name: TransitionName, place: Place): boolean {
  return (transitions[name].from as readonly string[]).includes(place);
}

function next(place: Place): readonly (readonly [TransitionName, Place])[] {
  return table.flatMap(([name, { to, ends }]) =>
    isIn(name, place) ? [[name, placeOf(to, ends)] as const] : [],
  );
}

function waysTo(): ReadonlyMap<Place, readonly [Place, ...TransitionName[]]> {
  const found = new Map<Place, readonly [Place, ...TransitionName[]]>(begin.map((place) => [place, [place]]));
  for (const [place, way] of found) {
    for (const [name, to] of next(place)) {
      if (!found.has(to)) {
        found.set(to, [...way, name]);
      }
    }
  }
  return found;
}

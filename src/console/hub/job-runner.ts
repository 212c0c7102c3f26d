import {
  type BackoffPolicy,
  backoffDelay,
  type Clock,
  Deadline,
  type JsonValue,
  type Logger,
  messageOf,
  toError,
  Wake,
} from "@weir/base";
import { decodeUndoRequest } from "../../api/types/v12-undo.ts";
import { FluxError } from "../../errors/flux-error.ts";
import { decodeUpdateSpec } from "../../update/wire.ts";
import type { Database } from "../store/database.ts";
import { listEvents } from "../store/events.ts";
import {
  acceptJob,
  claimJob,
  endJob,
  type Job,
  type JobOutcome,
  listOpenJobs,
  loseJob,
  loseUnansweredJobs,
} from "../store/jobs.ts";
import { isAnswer, isUnknownJob, outcomeByEvents, outcomeOf, refusedWith } from "./job-outcome.ts";
import type { Link } from "./link.ts";
import { type Bus, topics } from "./ports.ts";

/** What a runner needs. */
export interface JobContext {
  /** Aborted when writes that fail aren't worth another try. */
  readonly patience: AbortSignal;
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Logger;
}

/** How often a daemon is asked about a job: soon at first, as most take a few seconds. */
const asking: BackoffPolicy = { initialMs: 500, maxMs: 10_000, factor: 1.5, jitter: 0.2 };

/** How long to wait before a write is tried again that failed, or a look at the jobs. */
const retrying: BackoffPolicy = { initialMs: 500, maxMs: 30_000, factor: 2, jitter: 0.2 };

/** How often to look for jobs even if nobody said that there are any, in milliseconds. */
const interval = 30_000;

/** How far a daemon's clock may be behind for the outcome of a lost job to be found, in milliseconds. */
const slack = 86_400_000;

/** How many events are searched for it. */
const mostEvents = 200;

/** Sends the jobs of one instance to its daemon, one after the other and each at most once, and follows them. */
export class JobRunner {
  readonly #link: Link;
  readonly #context: JobContext;
  readonly #wake = new Wake();
  /** True while there are lost jobs. */
  #isSearching = false;
  readonly #followed = new Map<string, Promise<void>>();

  constructor(link: Link, context: JobContext) {
    this.#link = link;
    this.#context = context;
  }

  /** Says that there may be something to do. */
  wake(): void {
    this.#wake.wake();
  }

  /** Says that there are new events, which matter if a job is lost. */
  wakeForEvents(): void {
    if (this.#isSearching) {
      this.wake();
    }
  }

  /** Works until the connection ends; never rejects. What was answered until then is stored before this resolves. */
  async run(): Promise<void> {
    const { signal, lease } = this.#link;
    const { log } = this.#context;
    let failures = 0;
    while (!signal.aborted) {
      try {
        await this.#look();
        failures = 0;
      } catch (error) {
        failures += 1;
        log.log({
          component: "hub",
          instance: lease.instanceId,
          warning: "cannot look at jobs",
          err: toError(error),
        });
      }
      await this.#untilDue(failures === 0 ? interval : backoffDelay(retrying, failures));
    }
    await Promise.all(this.#followed.values());
  }

  /** Resolves at the next wake-up, after the pause, or when the connection has ended. */
  async #untilDue(pause: number): Promise<void> {
    const { signal } = this.#link;
    using deadline = new Deadline(this.#context.clock, pause, signal);
    await this.#wake.wait(deadline.signal).catch(() => undefined);
  }

  async #look(): Promise<void> {
    const { database } = this.#context;
    const { lease, signal } = this.#link;
    for (const lost of await loseUnansweredJobs(database.connection, lease.instanceId)) {
      await this.#tell(lost);
    }
    const open = await listOpenJobs(database.connection, lease.instanceId);
    this.#isSearching = open.some(({ state }) => state === "lost");
    for (const job of open) {
      await this.#resume(job);
    }
    while (!signal.aborted) {
      const job = await claimJob(database.connection, lease, this.#context.clock.now());
      if (job === undefined) {
        return;
      }
      await this.#tell(job);
      await this.#send(job);
    }
  }

  async #resume(job: Job): Promise<void> {
    if (job.daemonJobId !== "") {
      this.#follow(job, job.daemonJobId);
    } else if (job.state === "lost") {
      const outcome = await this.#search(job);
      if (outcome !== undefined) {
        await this.#end(job, outcome);
      }
    }
  }

  /** From here on, the job is never sent again: without an answer, nobody knows whether the daemon has it. */
  async #send(job: Job): Promise<void> {
    const { database } = this.#context;
    try {
      const daemonJobId = await this.#ask(job);
      await this.#persist(() => acceptJob(database.connection, { id: job.id, daemonJobId }));
      this.#follow(job, daemonJobId);
      await this.#tell(job);
    } catch (error) {
      if (!isAnswer(error)) {
        // The next connection calls it lost.
        await this.#link.close();
        throw error;
      }
      await this.#end(job, refusedWith(error));
    }
  }

  /** Resolves to the daemon's ID of the job. */
  async #ask({ kind, spec }: Job): Promise<string> {
    const { daemon } = this.#link;
    // The answer counts even if the connection ends: a call ends with it by itself.
    const { signal } = new AbortController();
    if (kind !== "undo") {
      return daemon.api.updateManifests(
        readable(() => decodeUpdateSpec(spec)),
        signal,
      );
    }
    const inspection = await daemon.inspection(signal);
    if (inspection === undefined) {
      throw new FluxError("user", "the daemon cannot undo commits", "Only Weir's fluxd can undo commits.\n");
    }
    return (
      await inspection.undo(
        readable(() => decodeUndoRequest(spec)),
        signal,
      )
    ).job;
  }

  #follow(job: Job, daemonJobId: string): void {
    if (this.#followed.has(job.id)) {
      return;
    }
    const work = this.#untilEnded(job, daemonJobId)
      .catch((error: unknown) => this.#stopped(job, error))
      .finally(() => this.#followed.delete(job.id));
    this.#followed.set(job.id, work);
  }

  async #untilEnded(job: Job, daemonJobId: string): Promise<void> {
    const { clock } = this.#context;
    const { signal, daemon } = this.#link;
    for (let asked = 1; !signal.aborted; asked += 1) {
      try {
        const outcome = outcomeOf(await daemon.api.jobStatus(daemonJobId, signal));
        if (outcome !== undefined) {
          await this.#end(job, outcome);
          return;
        }
      } catch (error) {
        if (isUnknownJob(error)) {
          await this.#forgotten(job);
          return;
        }
        if (!isAnswer(error)) {
          throw error;
        }
      }
      await clock.sleep(backoffDelay(asking, asked), signal);
    }
  }

  /** Flux v1 forgets jobs when it restarts, except those that it committed. */
  async #forgotten(job: Job): Promise<void> {
    const outcome = await this.#search(job);
    if (outcome !== undefined) {
      await this.#end(job, outcome);
    } else if (await this.#persist(() => loseJob(this.#context.database.connection, job.id))) {
      await this.#tell(job);
    }
  }

  async #search(job: Job): Promise<JobOutcome | undefined> {
    const { connection } = this.#context.database;
    const sentAt = job.sentAt ?? job.requestedAt;
    const filter = {
      scope: "everything",
      instanceIds: [job.instanceId],
      types: ["commit"],
      from: new Date(sentAt.getTime() - slack),
    } as const;
    const { items } = await listEvents(connection, filter, {
      sort: "at",
      descending: true,
      limit: mostEvents,
    });
    return outcomeByEvents(
      job,
      items.filter(({ receivedAt }) => receivedAt >= sentAt),
    );
  }

  async #end(job: Job, outcome: JobOutcome): Promise<void> {
    const { database, clock } = this.#context;
    if (await this.#persist(() => endJob(database.connection, { ...outcome, id: job.id }, clock.now()))) {
      await this.#tell(job);
    }
  }

  /** What a daemon has answered must not get lost because the database is being restarted. */
  async #persist<T>(write: () => Promise<T>): Promise<T> {
    const { clock, log, patience } = this.#context;
    for (let failures = 1; ; failures += 1) {
      try {
        return await write();
      } catch (error) {
        if (failures >= mostTries) {
          throw error;
        }
        log.log({ component: "hub", warning: "cannot store the state of a job", err: toError(error) });
        await clock.sleep(backoffDelay(retrying, failures), patience);
      }
    }
  }

  async #tell({ id, instanceId }: Job): Promise<void> {
    const message: JsonValue = { instanceId, jobId: id };
    await this.#context.bus.publish(topics.jobs, message).catch((error: unknown) => {
      this.#context.log.log({ component: "hub", warning: "cannot tell of a job", err: toError(error) });
    });
  }

  /** The next look, or the next connection, follows it again. */
  #stopped(job: Job, error: unknown): void {
    if (!this.#link.signal.aborted) {
      this.#context.log.log({
        component: "hub",
        jobID: job.id,
        warning: "cannot follow a job",
        err: messageOf(error),
      });
    }
  }
}

/** How often a write is tried: for some minutes, which is longer than a restart takes. */
const mostTries = 12;

/** A spec that can't be read is refused like by the daemon. */
function readable<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    throw new FluxError("user", `the job cannot be read: ${messageOf(error)}`, "", { cause: error });
  }
}

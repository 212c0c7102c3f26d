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
import { decodeUpdateSpec, FluxError } from "@weir/flux";
import { decodeUndoRequest, type RequestedWork } from "@weir/flux/api";
import type { Bus } from "../bus/bus.ts";
import type { Database } from "../store/database.ts";
import { listEvents } from "../store/events.ts";
import {
  acceptJob,
  claimJob,
  endJob,
  expireJobs,
  giveUpJob,
  type JobOutcome,
  loseJob,
  loseUnansweredJobs,
  releaseJob,
} from "../store/job-lifecycle.ts";
import { type Job, listOpenJobs, revisionsOfJobs } from "../store/jobs.ts";
import { isAnswer, isUnknownJob, notDone, outcomeByEvents, outcomeOf, refusedWith } from "./job-outcome.ts";
import type { Link } from "./link.ts";
import { type AdmitJob, topics } from "./ports.ts";

/** What a runner needs. */
export interface JobContext {
  /** Aborted when writes that fail aren't worth another try. */
  readonly patience: AbortSignal;
  readonly admitJob: AdmitJob;
  /** Called after a job has ended, and that is stored. */
  readonly ended: () => void;
  /** How long a sign is looked for of a job that the daemon doesn't know, in milliseconds. */
  readonly searchMs: number;
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Logger;
}

/** How often a daemon is asked about a job: soon at first, as most take a few seconds. */
const asking: BackoffPolicy = { initialMs: 500, maxMs: 10_000, factor: 1.5, jitter: 0.2 };

/** How long to wait before a write is tried again that failed, or a look at the jobs. */
const retrying: BackoffPolicy = { initialMs: 500, maxMs: 30_000, factor: 2, jitter: 0.2 };

/** How far a daemon's clock may be behind for the outcome of a lost job to be found, in milliseconds. */
const slack = 86_400_000;

/** How many events are searched for it. */
const mostEvents = 200;

/** How often in a row a daemon has to say that it doesn't know a job: what was sent over another connection may come late. */
const mostDenials = 3;

/**
 * Sends the jobs of one instance to its daemon, one after the other and each at most once, and follows them. Looks for jobs
 * at the beginning, and whenever it's woken.
 */
export class JobRunner {
  readonly #link: Link;
  readonly #context: JobContext;
  readonly #wake = new Wake();
  /** Since when lost jobs are looked for, by their IDs. */
  readonly #searched = new Map<string, number>();
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
    if (this.#searched.size > 0) {
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
      const searching = this.#searched.size > 0 ? this.#context.searchMs : undefined;
      await this.#untilDue(failures === 0 ? searching : backoffDelay(retrying, failures));
    }
    await Promise.all(this.#followed.values());
  }

  /** Resolves at the next wake-up, after the pause if there's one, or when the connection has ended. */
  async #untilDue(pause: number | undefined): Promise<void> {
    const { signal } = this.#link;
    using deadline = pause === undefined ? undefined : new Deadline(this.#context.clock, pause, signal);
    await this.#wake.wait(deadline?.signal ?? signal).catch(() => undefined);
  }

  async #look(): Promise<void> {
    const { database, clock } = this.#context;
    const { connection } = database;
    const { lease, signal, daemon } = this.#link;
    for (const changed of [
      ...(await loseUnansweredJobs(connection, lease.instanceId)),
      ...(await expireJobs(connection, clock.now(), lease.instanceId)),
    ]) {
      await this.#tell(changed);
    }
    const named = (await daemon.inspection(signal)) !== undefined;
    const open = await listOpenJobs(connection, lease.instanceId);
    this.#forgetSearches(open);
    for (const job of open) {
      await this.#resume(job, named);
    }
    while (!signal.aborted) {
      const job = await claimJob(connection, lease, { now: clock.now(), named });
      if (job === undefined) {
        return;
      }
      await this.#tell(job);
      await this.#admitAndSend(job);
    }
  }

  /** Weir's daemons know jobs by the console's own IDs, also those of which the console doesn't know whether it sent them. */
  async #resume(job: Job, named: boolean): Promise<void> {
    const daemonJobId = job.daemonJobId === "" && named && job.state === "lost" ? job.id : job.daemonJobId;
    if (daemonJobId !== "" && (named || job.state !== "lost")) {
      this.#follow(job, daemonJobId);
    } else if (job.state === "lost") {
      await this.#searchFor(job);
    }
  }

  #forgetSearches(open: readonly Job[]): void {
    const lost = new Set(open.filter(({ state }) => state === "lost").map(({ id }) => id));
    [...this.#searched.keys()].filter((id) => !lost.has(id)).forEach((id) => this.#searched.delete(id));
  }

  /** Looks for a sign of a lost job, and gives it up after a while. */
  async #searchFor(job: Job): Promise<void> {
    const { clock, database, searchMs } = this.#context;
    const since = this.#searched.get(job.id) ?? clock.now();
    this.#searched.set(job.id, since);
    const outcome = await this.#search(job);
    if (outcome !== undefined) {
      await this.#end(job, outcome);
    } else if (
      clock.now() - since >= searchMs &&
      (await this.#persist(() => giveUpJob(database.connection, job.id, clock.now())))
    ) {
      await this.#tell(job);
    }
  }

  /** What isn't sent in the end goes back into the queue, as long as that can be said. */
  async #admitAndSend(job: Job): Promise<void> {
    const { database, admitJob } = this.#context;
    const { daemon, lease, signal } = this.#link;
    const admission = await admitJob(job, daemon, signal).catch(async (error: unknown) => {
      await this.#persist(() => releaseJob(database.connection, job.id, lease));
      await this.#tell(job);
      throw error;
    });
    if (admission.isAdmitted) {
      await this.#send(job, admission.revision);
    } else {
      await this.#end(job, refusedWith(new Error(admission.why)));
    }
  }

  /** From here on, the job is never sent again: without an answer, nobody knows whether the daemon has it. */
  async #send(job: Job, revision: string): Promise<void> {
    const { database } = this.#context;
    try {
      const daemonJobId = await this.#ask(job, revision);
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
  async #ask({ id, kind, spec }: Job, revision: string): Promise<string> {
    const { daemon } = this.#link;
    // The answer counts even if the connection ends: a call ends with it by itself.
    const { signal } = new AbortController();
    const work = readable(() => workIn(kind, spec));
    const inspection = await daemon.inspection(signal);
    if (inspection !== undefined) {
      return inspection.requestJob({ id, work, revision }, signal);
    }
    if (work.kind === "undo") {
      throw new FluxError("user", "the daemon cannot undo commits", "Only Weir's fluxd can undo commits.\n");
    }
    return daemon.api.updateManifests(work.spec, signal);
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
    // It isn't known of a restored job whether it was sent under its own ID.
    const isNamed = job.daemonJobId === job.id;
    let denials = 0;
    for (let asked = 1; !signal.aborted; asked += 1) {
      try {
        const outcome = outcomeOf(await daemon.api.jobStatus(daemonJobId, signal));
        if (outcome !== undefined) {
          await this.#end(job, outcome);
          return;
        }
        denials = 0;
        await this.#found(job, daemonJobId);
      } catch (error) {
        if (isUnknownJob(error)) {
          denials += 1;
          if (!isNamed || denials >= mostDenials) {
            await (isNamed ? this.#end(job, notDone) : this.#forgotten(job));
            return;
          }
        } else if (!isAnswer(error)) {
          throw error;
        }
      }
      await clock.sleep(backoffDelay(asking, asked), signal);
    }
  }

  /** A job that was lost runs after all. */
  async #found(job: Job, daemonJobId: string): Promise<void> {
    const { connection } = this.#context.database;
    if (
      job.state !== "running" &&
      (await this.#persist(() => acceptJob(connection, { id: job.id, daemonJobId })))
    ) {
      await this.#tell(job);
    }
  }

  /** Flux v1 forgets jobs when it restarts, except those that it committed. */
  async #forgotten(job: Job): Promise<void> {
    if (job.state === "lost") {
      await this.#searchFor(job);
      return;
    }
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
    const since = items.filter(({ receivedAt }) => receivedAt >= sentAt);
    const revisions = since.map(({ revision }) => revision).filter((revision) => revision !== "");
    const ofOthers = await revisionsOfJobs(connection, job.instanceId, revisions);
    return outcomeByEvents(job, since, ofOthers) ?? (job.kind === "sync" ? this.#searchSync() : undefined);
  }

  /** A sync of Flux v1 leaves no sign of its own, but there's nothing left of it to do once the head is applied. */
  async #searchSync(): Promise<JobOutcome | undefined> {
    const { daemon, signal } = this.#link;
    const { branch, status } = await daemon.api.gitRepoConfig(false, signal);
    if (status !== "ready" || (await daemon.api.syncStatus(branch, signal)).length > 0) {
      return undefined;
    }
    return { state: "succeeded", error: "", revision: "", result: null };
  }

  async #end(job: Job, outcome: JobOutcome): Promise<void> {
    const { database, clock } = this.#context;
    if (await this.#persist(() => endJob(database.connection, { ...outcome, id: job.id }, clock.now()))) {
      this.#context.ended();
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

function workIn(kind: Job["kind"], spec: JsonValue): RequestedWork {
  return kind === "undo"
    ? { kind, request: decodeUndoRequest(spec) }
    : { kind: "update", spec: decodeUpdateSpec(spec) };
}

/** A spec that can't be read is refused like by the daemon. */
function readable<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    throw new FluxError("user", `the job cannot be read: ${messageOf(error)}`, "", { cause: error });
  }
}

/**
 * The daemon's only loop: checks the branch when the mirror was refreshed, syncs when a sync is due, looks for newer
 * images when that's due, and runs the queued jobs, one thing at a time. A wake-up only means "look again". Like Flux
 * v1's pkg/daemon/loop.go.
 */
import { Alarm, type Clock, Deadline, Grace, type Logger, messageOf } from "@weir/base";
import { type AutomatedChange, UnverifiedError } from "@weir/flux";
import type { Agenda } from "./agenda.ts";
import type { ChangeRequests } from "./jobs/change-requests.ts";
import type { Job, JobQueue } from "./jobs/queue.ts";
import type { DaemonMetrics } from "./metrics.ts";
import type { DaemonSettings, Repo } from "./ports.ts";
import { SuspendedError } from "./suspension/errors.ts";
import type { Suspensions } from "./suspension/suspensions.ts";
import type { HeadVerifier } from "./sync/head-verifier.ts";
import type { SyncRunner, SyncWait } from "./sync/sync-runner.ts";

/** How long a running job can take to finish after the daemon was told to stop, in milliseconds. */
const jobGrace = 5_000;

/** Does what is on the agenda, and the jobs, until it's told to stop. */
export class Loop {
  readonly #deps: LoopDependencies;
  readonly #syncAlarm: Alarm;
  readonly #imageAlarm: Alarm;
  #head = "";
  #waiting: Waiting | undefined;

  constructor(deps: LoopDependencies) {
    this.#deps = deps;
    const { agenda, clock } = deps;
    this.#syncAlarm = new Alarm(clock, () => agenda.askForSync());
    this.#imageAlarm = new Alarm(clock, () => agenda.askForImages());
  }

  /** Resolves when `signal` is aborted and running work has ended. */
  async run(signal: AbortSignal): Promise<void> {
    const { repo, agenda, logger } = this.#deps;
    const unsubscribe = repo.onRefreshed(() => agenda.askForHead());
    try {
      while (!signal.aborted) {
        if (!(await this.#step(signal))) {
          await agenda.wait(signal).catch(() => undefined);
        }
      }
    } finally {
      unsubscribe();
      this.#syncAlarm.clear();
      this.#imageAlarm.clear();
      this.#waiting?.enough.abort();
      logger.log({ stopping: true });
    }
  }

  /** Does the next thing; false if there's nothing to do. */
  async #step(signal: AbortSignal): Promise<boolean> {
    const { agenda, suspensions, settings, jobs } = this.#deps;
    if (agenda.takeHead()) {
      await this.#lookAtHead(signal);
      return true;
    }
    if (suspensions.find("sync") === undefined && agenda.takeSync()) {
      if (this.#head === "") {
        this.#missSync();
      } else {
        await this.#sync(signal);
      }
      return true;
    }
    const { automationInterval } = settings;
    const isAutomated = automationInterval !== undefined && suspensions.find("automation") === undefined;
    if (isAutomated && agenda.takeImages()) {
      await this.#pollImages(automationInterval, signal);
      return true;
    }
    const job = jobs.take();
    if (job) {
      await this.#do(job, signal);
    }
    return job !== undefined;
  }

  async #lookAtHead(signal: AbortSignal): Promise<void> {
    const { repo, agenda, settings, metrics, logger, clock } = this.#deps;
    if (repo.status().status !== "ready") {
      return;
    }
    try {
      using limit = new Deadline(clock, settings.gitTimeout, signal);
      const head = await this.#headToSync(limit.signal);
      logger.log({ event: "refreshed", url: repo.safeUrl, branch: settings.branch, HEAD: head });
      if (head !== this.#head) {
        this.#head = head;
        agenda.askForSync();
      }
    } catch (error) {
      const problem = error instanceof UnverifiedError ? error.problem : undefined;
      logger.log({ url: repo.safeUrl, err: messageOf(error), ...problem });
      if (problem !== undefined) {
        metrics.setHeadVerified(false);
      }
    }
  }

  /** The head of the branch, or the last verified commit before it. */
  async #headToSync(signal: AbortSignal): Promise<string> {
    const { repo, heads, metrics, logger } = this.#deps;
    if (heads === undefined) {
      return repo.branchHead(signal);
    }
    const { verified, bad } = await heads.verifyHead(signal);
    metrics.setHeadVerified(bad === undefined);
    if (bad !== undefined) {
      const { revision, key, author, signer, reason } = bad;
      const whose = signer === undefined ? { author } : { author, signer };
      logger.log({ err: "found invalid GPG signature for commit", revision, key, ...whose, reason });
    }
    return verified;
  }

  async #sync(signal: AbortSignal): Promise<void> {
    const { agenda, syncs, settings, metrics, logger, clock } = this.#deps;
    const head = this.#head;
    const before = this.#waiting;
    const startedAt = before?.head === head ? before.startedAt : clock.now();
    before?.enough.abort();
    this.#waiting = undefined;
    let success = true;
    try {
      using limit = new Deadline(clock, settings.syncTimeout);
      const wait = await syncs.sync(head, { stop: signal, deadline: limit.signal });
      if (wait !== undefined) {
        this.#waiting = { head, startedAt, enough: new AbortController() };
        this.#awaitSync(wait, this.#waiting.enough.signal);
      }
    } catch (error) {
      if (error instanceof SuspendedError) {
        agenda.askForSync();
        logger.log({ info: "the sync was stopped", reason: error.message });
        return;
      }
      success = false;
      logger.log({ err: messageOf(error) });
    }
    if (this.#waiting === undefined) {
      metrics.observeSync(success, (clock.now() - startedAt) / 1000);
    }
    this.#syncAlarm.set(settings.syncInterval);
  }

  /** Continues a sync when it can go on; the loop does other things until then. */
  #awaitSync(wait: SyncWait, signal: AbortSignal): void {
    const { agenda, logger } = this.#deps;
    wait.changed(signal).then(
      () => agenda.askForSync(),
      (error: unknown) => {
        if (!signal.aborted) {
          logger.log({ err: messageOf(error) });
        }
      },
    );
  }

  /** A sync that's due while there's nothing to sync to counts as failed; the mirror logs the reason. */
  #missSync(): void {
    this.#deps.metrics.observeSync(false, 0);
    this.#syncAlarm.set(this.#deps.settings.syncInterval);
  }

  async #pollImages(interval: number, signal: AbortSignal): Promise<void> {
    const { requests, metrics, logger, settings, clock } = this.#deps;
    let success = true;
    try {
      using limit = new Deadline(clock, settings.syncTimeout, signal);
      const changes = await this.#deps.findNewImages(limit.signal);
      if (changes.length > 0) {
        requests.releaseAutomatically(changes);
      }
    } catch (error) {
      success = false;
      logger.log({ error: messageOf(error) });
    }
    metrics.countImagePoll(success);
    this.#imageAlarm.set(interval);
  }

  async #do(job: Job, signal: AbortSignal): Promise<void> {
    const { metrics, clock } = this.#deps;
    const logger = this.#deps.logger.with({ jobID: job.id });
    const started = clock.now();
    metrics.observeQueueTime((started - job.enqueuedAt) / 1000);
    logger.log({ state: "in-progress" });
    let success = true;
    using grace = new Grace(clock, jobGrace, signal);
    try {
      await job.run(grace.signal);
      logger.log({ state: "done", success: "true" });
    } catch (error) {
      success = false;
      logger.log({ state: "done", success: "false", err: messageOf(error) });
    }
    metrics.observeJob(success, (clock.now() - started) / 1000);
  }
}

export interface LoopDependencies {
  readonly settings: DaemonSettings;
  readonly repo: Pick<Repo, "safeUrl" | "status" | "onRefreshed" | "branchHead">;
  readonly agenda: Agenda;
  readonly jobs: JobQueue;
  readonly syncs: Pick<SyncRunner, "sync">;
  /** What is suspended stays due. */
  readonly suspensions: Pick<Suspensions, "find">;
  readonly requests: Pick<ChangeRequests, "releaseAutomatically">;
  /** Looks for newer images of automated workloads. */
  findNewImages(signal: AbortSignal): Promise<readonly AutomatedChange[]>;
  /** Verifies the head of the branch; undefined if commits needn't be signed. */
  readonly heads?: Pick<HeadVerifier, "verifyHead"> | undefined;
  readonly metrics: DaemonMetrics;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** A sync that waits. */
interface Waiting {
  readonly head: string;
  /** When the sync was begun. */
  readonly startedAt: number;
  /** Aborted when nobody waits for it anymore. */
  readonly enough: AbortController;
}

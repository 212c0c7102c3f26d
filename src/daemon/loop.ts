/**
 * The daemon's only loop: checks the branch when the mirror was refreshed, syncs when a sync is due, looks for newer
 * images when that's due, and runs the queued jobs, one thing at a time. A wake-up only means "look again". Like Flux
 * v1's pkg/daemon/loop.go.
 */
import { Alarm, type Clock, Deadline, Grace, type Logger, messageOf, type Wake } from "@weir/base";
import type { Suspendable } from "../api/types/suspension.ts";
import { UnverifiedError } from "../errors/unverified.ts";
import type { Job, JobQueue } from "./jobs/queue.ts";
import type { DaemonMetrics } from "./metrics.ts";
import type { DaemonSettings, Repo } from "./ports.ts";
import { SuspendedError } from "./suspension/errors.ts";
import type { HeadVerifier } from "./sync/head-verifier.ts";
import type { SyncLimits } from "./sync/sync.ts";

/** How long a running job can take to finish after the daemon was told to stop, in milliseconds. */
const jobGrace = 5_000;

/** What a sync waits for. */
export interface SyncWait {
  /** Resolves when it makes sense to continue; rejects if the signal is aborted. */
  changed(signal: AbortSignal): Promise<void>;
}

/** A sync that waits. */
interface Waiting {
  readonly head: string;
  /** When the sync was begun. */
  readonly startedAt: number;
  /** Aborted when nobody waits for it anymore. */
  readonly enough: AbortController;
}

/** The loop's dependencies. */
export interface LoopDependencies {
  readonly settings: DaemonSettings;
  readonly repo: Pick<Repo, "safeUrl" | "status" | "onRefreshed" | "branchHead">;
  readonly jobs: JobQueue;
  readonly wake: Wake;
  readonly metrics: DaemonMetrics;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Verifies the head of the branch; undefined if commits needn't be signed. */
  readonly heads?: Pick<HeadVerifier, "verifyHead"> | undefined;
  /** What is suspended stays due. */
  isSuspended(what: Suspendable): boolean;
  /**
   * Syncs the cluster to a revision; its deadline is the sync timeout. Resolves to a sync that has to wait, which the
   * next call with the same revision continues, and one with another revision replaces; or to undefined. Rejects with
   * SuspendedError if syncing is suspended meanwhile.
   */
  sync(revision: string, limits: SyncLimits): Promise<SyncWait | undefined>;
  /** Looks for newer images and queues their release. */
  pollImages(signal: AbortSignal): Promise<void>;
}

/** Runs until it's told to stop; `askForSync` can be called at any time. */
export class Loop {
  readonly #deps: LoopDependencies;
  readonly #syncAlarm: Alarm;
  readonly #imageAlarm: Alarm;
  #head = "";
  #refreshed = true;
  #syncDue = true;
  #imagesDue = true;
  #waiting: Waiting | undefined;

  constructor(deps: LoopDependencies) {
    this.#deps = deps;
    this.#syncAlarm = new Alarm(deps.clock, () => this.askForSync());
    this.#imageAlarm = new Alarm(deps.clock, () => this.askForImages());
  }

  /** Requests a sync soon; several requests lead to one sync. */
  askForSync(): void {
    this.#syncDue = true;
    this.#deps.wake.wake();
  }

  /**
   * Requests a sync soon, to the head of the branch as of the last fetch. Without it, a commit that was only peeked at is
   * synced when the next refresh finds it.
   */
  askForSyncToHead(): void {
    this.#refreshed = true;
    this.askForSync();
  }

  /** Requests a look for newer images soon; several requests lead to one look. */
  askForImages(): void {
    this.#imagesDue = true;
    this.#deps.wake.wake();
  }

  /** Resolves when the loop is running and has nothing to do until the next request or interval. */
  idle(): Promise<void> {
    return this.#deps.wake.idle();
  }

  /** Resolves when `signal` is aborted and running work has ended. */
  async run(signal: AbortSignal): Promise<void> {
    const unsubscribe = this.#deps.repo.onRefreshed(() => {
      this.#refreshed = true;
      this.#deps.wake.wake();
    });
    try {
      while (!signal.aborted) {
        if (!(await this.#step(signal))) {
          await this.#deps.wake.wait(signal).catch(() => undefined);
        }
      }
    } finally {
      unsubscribe();
      this.#syncAlarm.clear();
      this.#imageAlarm.clear();
      this.#waiting?.enough.abort();
      this.#deps.logger.log({ stopping: true });
    }
  }

  /** Does the next thing; false if there's nothing to do. */
  async #step(signal: AbortSignal): Promise<boolean> {
    if (this.#refreshed) {
      this.#refreshed = false;
      await this.#lookAtHead(signal);
      return true;
    }
    if (this.#syncDue && !this.#deps.isSuspended("sync")) {
      this.#syncDue = false;
      if (this.#head === "") {
        this.#missSync();
      } else {
        await this.#sync(signal);
      }
      return true;
    }
    const { automationInterval } = this.#deps.settings;
    if (this.#imagesDue && automationInterval !== undefined && !this.#deps.isSuspended("automation")) {
      this.#imagesDue = false;
      await this.#pollImages(automationInterval, signal);
      return true;
    }
    const job = this.#deps.jobs.take();
    if (job) {
      await this.#do(job, signal);
    }
    return job !== undefined;
  }

  async #lookAtHead(signal: AbortSignal): Promise<void> {
    const { repo, settings, metrics, logger, clock } = this.#deps;
    if (repo.status().status !== "ready") {
      return;
    }
    try {
      using limit = new Deadline(clock, settings.gitTimeout, signal);
      const head = await this.#headToSync(limit.signal);
      logger.log({ event: "refreshed", url: repo.safeUrl, branch: settings.branch, HEAD: head });
      this.#syncDue ||= head !== this.#head;
      this.#head = head;
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
    const { settings, metrics, logger, clock } = this.#deps;
    const head = this.#head;
    const before = this.#waiting;
    const startedAt = before?.head === head ? before.startedAt : clock.now();
    before?.enough.abort();
    this.#waiting = undefined;
    let success = true;
    try {
      using limit = new Deadline(clock, settings.syncTimeout);
      const wait = await this.#deps.sync(head, { stop: signal, deadline: limit.signal });
      if (wait !== undefined) {
        this.#waiting = { head, startedAt, enough: new AbortController() };
        this.#awaitSync(wait, this.#waiting.enough.signal);
      }
    } catch (error) {
      if (error instanceof SuspendedError) {
        this.#syncDue = true;
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
    wait.changed(signal).then(
      () => this.askForSync(),
      (error: unknown) => {
        if (!signal.aborted) {
          this.#deps.logger.log({ err: messageOf(error) });
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
    const { metrics, logger, settings, clock } = this.#deps;
    let success = true;
    try {
      using limit = new Deadline(clock, settings.syncTimeout, signal);
      await this.#deps.pollImages(limit.signal);
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

/**
 * The daemon: connects its parts, each with those before it, and runs the loop. Requests of the API come through api.ts;
 * they put work on the agenda or into the queue, from which the loop takes it. Uses git, manifests, and the cluster
 * through ports, which cmd/fluxd connects. Based on Flux v1's pkg/daemon.
 */

import { apiLimits } from "@weir/base";
import { Agenda } from "./agenda.ts";
import { DaemonApi, type DaemonParts } from "./api.ts";
import { pollImages } from "./automation.ts";
import type { DaemonDependencies } from "./dependencies.ts";
import { EventReporter } from "./event-reporter.ts";
import { createMemoryHistoryStore, SyncHistory } from "./history/sync-history.ts";
import { ChangeRequests } from "./jobs/change-requests.ts";
import { JobQueue } from "./jobs/queue.ts";
import { Loop } from "./loop.ts";
import { Suspensions } from "./suspension/suspensions.ts";
import { HeadVerifier } from "./sync/head-verifier.ts";
import { Ratchet } from "./sync/ratchet.ts";
import { SyncRunner } from "./sync/sync-runner.ts";
import { TreeChanges } from "./tree-changes.ts";

const waitingJobs = { jobs: apiLimits.waitingJobs, weight: apiLimits.waitingJobsWeight };

/** Keeps the cluster in sync with git while it runs; `api` answers requests. */
export class Daemon {
  readonly api: DaemonApi;
  readonly #parts: DaemonParts;
  readonly #loop: Loop;

  constructor(given: DaemonDependencies) {
    const { repo, syncState, settings, clock, metrics, historyStore = createMemoryHistoryStore() } = given;
    const mode = settings.verifySignatures;
    const heads = mode === "none" ? undefined : new HeadVerifier({ repo, syncState, mode });
    const logger = given.logger.with({ component: "daemon" });
    const loopLogger = given.logger.with({ component: "sync-loop" });
    const deps = { ...given, heads, logger };
    // Generators run commands, and those of a commit that isn't verified may be anybody's.
    const listed = settings.manifestGeneration ? deps : { ...deps, heads: undefined };
    const agenda = new Agenda();
    const queue = new JobQueue(waitingJobs, (length) => metrics.setQueueLength(length));
    const reporter = new EventReporter(deps);
    const treeChanges = new TreeChanges(clock);
    const history = new SyncHistory({ store: historyStore, clock, logger });
    const suspensions = new Suspensions({
      store: deps.suspensionStore,
      clock,
      logger,
      setSuspended: (what, isSuspended) => metrics.setSuspended(what, isSuspended),
      note: (type, message) => reporter.noteSuspension(type, message),
      onResumed: () => {
        agenda.askForSync();
        agenda.askForImages();
      },
    });
    const syncs = new SyncRunner({
      ...deps,
      reporter,
      suspensions,
      ratchet: new Ratchet(syncState, loopLogger),
      record: (done) => {
        metrics.countChanges(done);
        history.record(done);
      },
      onChange: (last) => {
        metrics.setLastSync(last);
        treeChanges.note();
      },
    });
    const requests = new ChangeRequests({ ...deps, reporter, agenda, queue, suspensions, syncs });
    this.#loop = new Loop({
      ...deps,
      agenda,
      jobs: queue,
      syncs,
      suspensions,
      requests,
      findNewImages: (signal) => pollImages(listed, signal),
      logger: loopLogger,
    });
    this.#parts = { deps, listed, agenda, reporter, treeChanges, history, suspensions, syncs, requests };
    this.api = new DaemonApi(this.#parts);
  }

  /** Works until `signal` is aborted; resolves when everything has ended. */
  async run(signal: AbortSignal): Promise<void> {
    const { deps, agenda, treeChanges, suspensions, history } = this.#parts;
    const { cluster, repo, settings } = deps;
    const noteChange = (): void => treeChanges.note();
    const subscriptions = [
      cluster.onChange(noteChange),
      repo.onRefreshed(noteChange),
      ...(settings.syncOnDrift ? [cluster.onDrift(() => agenda.askForSync())] : []),
    ];
    try {
      await suspensions.load(signal).catch((error: unknown) => {
        if (!signal.aborted) {
          throw error;
        }
      });
      await this.#loop.run(signal);
    } finally {
      subscriptions.forEach((unsubscribe) => unsubscribe());
      suspensions.close();
      await history.flush();
    }
  }

  /** Requests a look for newer images soon. */
  askForImages(): void {
    this.#parts.agenda.askForImages();
  }
}

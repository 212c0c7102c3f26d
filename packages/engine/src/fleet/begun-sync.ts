import { type Clock, Deadline, TimeoutError } from "@weir/base";
import type { SyncRequest } from "../plan/sync-request.ts";
import type { SyncTask } from "../plan/task.ts";
import type { SyncProgress } from "../sync/sync-progress.ts";
import type { Claims } from "./claims.ts";
import type { ClusterLink, ConnectionLease } from "./cluster-link.ts";
import type { OutsideCalls } from "./outside-calls.ts";
import type { SyncOperation, SyncUnit } from "./ports.ts";
import { foreignTo, ownedBy, type UnitTargets } from "./unit-targets.ts";

/** The dependencies of syncs in one cluster. */
export interface SyncContext {
  readonly targets: UnitTargets;
  readonly link: ClusterLink;
  readonly claims: Claims;
  readonly calls: OutsideCalls;
  readonly clock: Clock;
  /** How long planning may take, and so can the review of the tasks. */
  readonly limitMs: number;
  /** Lets listeners review the tasks of a sync. */
  readonly review: (unit: string, tasks: readonly SyncTask[]) => Promise<readonly SyncTask[]>;
}

/** Aborted by the end of the engine, or also by a newer request. */
export interface SyncSignals {
  readonly engine: AbortSignal;
  readonly either: AbortSignal;
}

/**
 * A sync that has begun, with the connection, the settings, and the manifests of its begin. Dispose it at the
 * end.
 */
export interface SyncWork extends Disposable {
  /** Does everything that can be done now. Rejects like ClusterEngine.advance. */
  advance(signals: SyncSignals): Promise<SyncProgress>;
}

/** Begins a sync. Rejects if the cluster is unavailable, or if its targets can't be generated. */
export async function beginSync(
  { unit, operation }: { readonly unit: SyncUnit; readonly operation: SyncOperation },
  context: SyncContext,
  { either, engine }: SyncSignals,
): Promise<SyncWork> {
  const { link, targets, claims, calls, limitMs, review } = context;
  const lease = await link.acquire(either);
  try {
    const { instanceLabelKey } = lease.connection.settings;
    const generated = await targets.of(unit, instanceLabelKey, either);
    claims.replace(unit.id, generated.keys);
    const what = `the review of the sync of unit "${unit.id}"`;
    const request: SyncRequest = {
      ...operation,
      unit: unit.id,
      targets: generated.targets,
      isManaged: ownedBy(unit.id, instanceLabelKey, claims),
      foreignOwner: foreignTo(unit.id, instanceLabelKey, claims),
      revision: generated.revision,
      review: (tasks) => calls.make({ what, limitMs, signal: engine }, () => review(unit.id, tasks)),
    };
    return new LeasedSync(lease, request, unit.destination.cluster, context);
  } catch (error) {
    lease[Symbol.dispose]();
    throw error;
  }
}

class LeasedSync implements SyncWork {
  readonly #lease: ConnectionLease;
  readonly #request: SyncRequest;
  readonly #cluster: string;
  readonly #context: Pick<SyncContext, "calls" | "clock" | "limitMs">;

  constructor(
    lease: ConnectionLease,
    request: SyncRequest,
    cluster: string,
    context: Pick<SyncContext, "calls" | "clock" | "limitMs">,
  ) {
    this.#lease = lease;
    this.#request = request;
    this.#cluster = cluster;
    this.#context = context;
  }

  async advance({ either }: SyncSignals): Promise<SyncProgress> {
    const { calls, clock, limitMs } = this.#context;
    const { engine } = this.#lease.connection;
    const late = (): TimeoutError =>
      new TimeoutError(`cluster "${this.#cluster}" gave no answer for ${limitMs / 1000} s`);
    using limit = new Deadline(clock, limitMs, either, late);
    const request = { ...this.#request, beginBy: limit.signal };
    const what = `the sync of unit "${request.unit ?? ""}" in cluster "${this.#cluster}"`;
    return await calls.make({ what, signal: either }, (ends) => engine.advance(request, ends));
  }

  [Symbol.dispose](): void {
    this.#lease[Symbol.dispose]();
  }
}

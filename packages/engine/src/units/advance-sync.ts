import type { ClusterEngine } from "../cluster-engine.ts";
import type { SyncRequest } from "../options.ts";
import type { SyncResult } from "../sync/result.ts";
import type { SyncTask } from "../sync/task.ts";

/** How far a sync is. */
export type SyncAdvance =
  | { readonly kind: "finished"; readonly result: SyncResult }
  | {
      readonly kind: "waiting";
      readonly waitingFor: readonly SyncTask[];
      /** Resolves when the sync may go on. */
      changed(signal: AbortSignal): Promise<void>;
    };

/** Does what can be done now. */
export async function advanceSync(
  engine: ClusterEngine,
  request: SyncRequest,
  signal: AbortSignal,
): Promise<SyncAdvance> {
  return { kind: "finished", result: await engine.sync(request, signal) };
}

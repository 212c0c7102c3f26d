import type { Checkup, Clock, Logger } from "@weir/base";
import type { Cluster, ImageName, ImageRegistry } from "@weir/flux";
import type { SyncSettings } from "@weir/flux/api";
import type { HistoryStore } from "./history/sync-history.ts";
import type { DaemonMetrics } from "./metrics.ts";
import type { DaemonSettings, EventSink, ManifestSource, Repo } from "./ports.ts";
import type { SuspensionStore } from "./suspension/suspensions.ts";
import type { SyncState } from "./sync/state.ts";

export interface DaemonDependencies {
  readonly version: string;
  readonly settings: DaemonSettings;
  /** For whoever wants to know what a sync would do with other manifests. */
  readonly syncSettings: SyncSettings;
  readonly repo: Repo;
  readonly manifests: ManifestSource;
  readonly cluster: Cluster;
  readonly images: ImageRegistry;
  /** Called when a notice says that an image has something new, possibly with its tags. */
  readonly onImageNotice?: (name: ImageName, tags: readonly string[]) => void;
  readonly syncState: SyncState;
  /** Where the next fluxd finds what is suspended. */
  readonly suspensionStore: SuspensionStore;
  /** Additional checks besides git and syncs. */
  readonly checkups: readonly Checkup[];
  /** Additional checks that take little, which are also part of the status. */
  readonly conditions: readonly Checkup[];
  readonly metrics: DaemonMetrics;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Receives events in addition to the log; undefined if there's no upstream. */
  readonly eventSink?: EventSink;
  /** Keeps the history of syncs across restarts; by default, it ends with the process. */
  readonly historyStore?: HistoryStore;
}

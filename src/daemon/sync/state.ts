/** Where it is kept up to which commit the cluster was synced: a git tag, or an annotation of a Secret. */
export interface SyncState {
  /** What it is, for logs: "tag flux-sync", "kubernetes ns:secret/name". */
  readonly description: string;
  /** The full hash of the commit synced last; "" where nothing was synced yet. */
  revision(signal: AbortSignal): Promise<string>;
  /** Records that `revision` has been synced. */
  move(revision: string, signal: AbortSignal): Promise<void>;
}

/** Stores up to which commit the cluster was synced: in a git tag, or in an annotation of a Secret. */
export interface SyncState {
  /** A description for logs: "tag flux-sync" or "kubernetes ns:secret/name". */
  readonly description: string;
  /** The full hash of the last synced commit; "" if nothing was synced yet. */
  revision(signal: AbortSignal): Promise<string>;
  /** Records that `revision` has been synced. */
  move(revision: string, signal: AbortSignal): Promise<void>;
}

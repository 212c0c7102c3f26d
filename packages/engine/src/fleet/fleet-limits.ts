/** How many units of each cluster are compared, and how many are synced, at the same time. */
export interface Processors {
  readonly statusProcessors: number;
  readonly operationProcessors: number;
}

/** How long a fleet engine waits for others, in milliseconds. What takes longer is abandoned. */
export interface FleetLimits {
  /** To get the client of a cluster, and for a sign of life of its server; 15 s by default. */
  readonly connectMs: number;
  /** To list what a unit needs and compare it; also for a review before a sync; 60 s by default. */
  readonly compareMs: number;
  /** To generate the manifests of a unit; 60 s by default. */
  readonly generateMs: number;
  /** For each call to the store of units; 30 s by default. */
  readonly storeMs: number;
}

export const usualLimits: FleetLimits = {
  connectMs: 15_000,
  compareMs: 60_000,
  generateMs: 60_000,
  storeMs: 30_000,
};

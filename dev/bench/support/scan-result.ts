/** The cost of one round of the warmer. */
export interface ScanResult {
  readonly seconds: number;
  /** The number of requests to registries. */
  readonly requests: number;
  /** The peak memory of the process. */
  readonly peakMiB: number;
}

/** What a round of the warmer cost. */
export interface ScanResult {
  readonly seconds: number;
  /** What was asked of registries. */
  readonly requests: number;
  /** The most memory that the process held. */
  readonly peakMiB: number;
}

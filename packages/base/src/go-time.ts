/** A time in UTC as Go's RFC3339Nano prints it: trailing zeros of the fraction are cut. */
export function printGoTime(time: Date): string {
  return time.toISOString().replace(/\.?0*Z$/, "Z");
}

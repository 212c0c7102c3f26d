/** A time in UTC as Go's RFC3339Nano prints it, without trailing zeros in the fraction. */
export function printGoTime(time: Date): string {
  return time.toISOString().replace(/\.?0*Z$/, "Z");
}

/** Prints a duration as Flux v2 reads it, such as "90s", "5m", or "1h"; at least one second. */
export function printInterval(milliseconds: number): string {
  const seconds = Math.max(1, Math.round(milliseconds / 1000));
  return seconds % 3600 === 0 ? `${seconds / 3600}h` : printTimeout(milliseconds);
}

/** The same for fields that don't accept hours. */
export function printTimeout(milliseconds: number): string {
  const seconds = Math.max(1, Math.round(milliseconds / 1000));
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
}

/**
 * How long a server asks to wait, in milliseconds, given as seconds or a date (RFC 9110, 10.2.3); 0 if it doesn't say.
 */
export function retryAfterMs(header: string, now: number): number {
  if (/^\d+$/.test(header)) {
    return Number(header) * 1000;
  }
  const date = Date.parse(header);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}

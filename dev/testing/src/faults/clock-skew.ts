const inJson = /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)"/g;

/** Text of JSON as a server sends it whose clock is ahead by `ms`: each time in it is shifted. */
export function skewTimes(json: string, ms: number): string {
  return ms === 0 ? json : json.replace(inJson, (_whole, time: string) => `"${shifted(time, ms)}"`);
}

/** A Date header, shifted in the same way. */
export function skewDate(header: string, ms: number): string {
  return new Date(Date.parse(header) + ms).toUTCString();
}

/** Keeps the precision: seconds in most fields, microseconds in some. */
function shifted(time: string, ms: number): string {
  const fraction = /\.\d+/.exec(time)?.[0] ?? "";
  const seconds = new Date(Date.parse(time.replace(fraction, "")) + ms).toISOString().slice(0, 19);
  return `${seconds}${fraction}Z`;
}

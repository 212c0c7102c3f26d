/** A text with one character for each byte, as people read it. */
export function printBytes(text: string): string {
  return Buffer.from(text, "latin1").toString("utf8");
}

/** A time, in seconds since 1970, as people read it. */
export function printTime(seconds: number | bigint): string {
  const date = new Date(Number(seconds) * 1000);
  if (Number.isNaN(date.getTime())) {
    return "a time in the far future";
  }
  return date.toISOString().replace("T", " ").replace(".000Z", " UTC");
}

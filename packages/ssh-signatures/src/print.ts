import { makeVisible } from "@weir/base";

/** Longer names are cut off in messages. */
const shownCharacters = 100;

/** Text that has one character for each byte, decoded as UTF-8. */
export function decodeUtf8(text: string): string {
  return Buffer.from(text, "latin1").toString("utf8");
}

/** The same, for a message: on one line, and without what a terminal would interpret. Anybody can choose such names. */
export function printName(text: string): string {
  const name = decodeUtf8(text);
  const shown = name.length > shownCharacters ? `${name.slice(0, shownCharacters)}…` : name;
  return makeVisible(shown).replaceAll("\r", "\\r").replaceAll("\n", "\\n");
}

/** A time, in seconds since 1970, as people read it. */
export function printTime(seconds: number | bigint): string {
  const date = new Date(Number(seconds) * 1000);
  if (Number.isNaN(date.getTime())) {
    return "a time in the far future";
  }
  return date.toISOString().replace("T", " ").replace(".000Z", " UTC");
}

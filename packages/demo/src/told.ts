/** What a line is about: something new, changed, gone, as wanted, done by somebody, or a problem. */
export type Sign = "+" | "~" | "-" | "=" | ">" | "!";

/** Something to tell, on one line before it's wrapped. */
export interface Told {
  readonly sign: Sign;
  readonly text: string;
  /** What to do about it. */
  readonly remedy?: string;
}

/** Something that a person can make happen, and that the demo has seen. */
export type Seen = "push" | "drift" | "automated release" | "suspension";

/** What was told, so that each thing is told once. */
export interface Memory {
  /** The ID of the last event that was told. */
  readonly lastEvent: number;
  /** The commits by fluxd that were told. */
  readonly commits: ReadonlySet<string>;
  /** The failure that was told last, and isn't over; "" for none. */
  readonly trouble: string;
  /** The ID of a failure that wasn't told yet, because the event after it may say more; 0 for none. */
  readonly held: number;
}

/** Before anything was told. */
export const nothingTold: Memory = { lastEvent: 0, commits: new Set(), trouble: "", held: 0 };

/** The same characters in one line, with single blanks. */
export function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** As git shows it. */
export function shortRevision(revision: string): string {
  return revision.slice(0, 7);
}

import type { ResourceStatus } from "@weir/flux";
import type { Tone } from "./line.ts";

/**
 * How a resource compares with git, for people: "pending" isn't applied yet, "drift" was changed in the cluster after
 * everything in git had been applied, and "differs" is one of the two.
 */
export type SyncWord = "synced" | "pending" | "drift" | "differs" | "obsolete" | "ignored" | "";

/** The word for a status; `unapplied` is how many commits aren't applied yet, if that's known. */
export function syncWord({ sync }: ResourceStatus, unapplied: number | undefined): SyncWord {
  switch (sync) {
    case "Synced":
      return "synced";
    case "OutOfSync":
      return unapplied === undefined ? "differs" : unapplied === 0 ? "drift" : "pending";
    case "Obsolete":
      return "obsolete";
    case "Ignored":
      return "ignored";
    case "":
      return "";
  }
}

/** True if a sync would change it. */
export function isOutOfStep({ sync }: ResourceStatus): boolean {
  return sync === "OutOfSync" || sync === "Obsolete";
}

/** True if its health isn't good, whatever the health of the objects that it owns. */
export function isUnwell({ health }: ResourceStatus): boolean {
  return !["", "Healthy", "Suspended"].includes(health);
}

/** A word, how it looks, and two characters that mean the same where there's little room. */
export interface Mark {
  readonly word: string;
  readonly short: string;
  readonly tone: Tone;
}

/** The mark of a comparison with git. */
export function syncMark(word: SyncWord): Mark {
  return { word, ...syncMarks[word] };
}

/** The mark of a health. */
export function healthMark(health: string): Mark {
  return { word: health.toLowerCase(), ...(healthMarks.get(health) ?? { short: "??", tone: "pending" }) };
}

const syncMarks: Readonly<Record<SyncWord, Omit<Mark, "word">>> = {
  synced: { short: "=", tone: "good" },
  pending: { short: "~", tone: "pending" },
  drift: { short: "#", tone: "bad" },
  differs: { short: "~", tone: "pending" },
  obsolete: { short: "-", tone: "pending" },
  ignored: { short: "i", tone: "faint" },
  "": { short: "", tone: "plain" },
};

const healthMarks: ReadonlyMap<string, Omit<Mark, "word">> = new Map([
  ["Healthy", { short: "ok", tone: "good" }],
  ["Progressing", { short: "..", tone: "pending" }],
  ["Degraded", { short: "!!", tone: "bad" }],
  ["Missing", { short: "no", tone: "bad" }],
  ["Suspended", { short: "||", tone: "faint" }],
  ["", { short: "", tone: "plain" }],
]);

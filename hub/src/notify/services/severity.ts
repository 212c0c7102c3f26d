import type { Severity } from "../event.ts";

const marks: Readonly<Record<Severity, string>> = { info: "", warning: "⚠️ ", error: "🔴 " };

/** What the heading of a message begins with, so that problems stand out without colors. */
export function severityMark(severity: Severity): string {
  return marks[severity];
}

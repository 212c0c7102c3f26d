import type { LoggedEvent } from "../../../src/api/types/inspection.ts";
import { alignTabs } from "./table.ts";

/** The table of events, the oldest first; times are those of the reader's place. */
export function printEvents(events: readonly LoggedEvent[], headers: boolean): string {
  const heading = headers ? ["TIME\tTYPE\tMESSAGE"] : [];
  const lines = events.map(
    ({ endedAt, type, message }) => `${printTime(endedAt)}\t${type}\t${message.replaceAll(/\s+/g, " ")}`,
  );
  return alignTabs([...heading, ...lines].map((line) => `${line}\n`).join(""));
}

/** E.g. "2026-03-01 13:00:05". */
function printTime(time: Date): string {
  const date = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join("-");
  return `${date} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(":")}`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

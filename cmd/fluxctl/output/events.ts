import type { LoggedEvent } from "../../../src/api/types/inspection.ts";
import { type Paint, plain } from "./paint.ts";
import { printLines, type TableLook } from "./table.ts";

/** Prints a table of events, oldest first, in local time. */
export function printEvents(events: readonly LoggedEvent[], { headers, wide, paint }: TableLook): string {
  const names = wide ? ["TIME", "TYPE", "LEVEL", "RESOURCES", "MESSAGE"] : ["TIME", "TYPE", "MESSAGE"];
  const rows = events.map((event) => [
    printTime(event.endedAt),
    paintType(event, paint),
    ...(wide ? [event.logLevel, String(event.workloads.length)] : []),
    event.message.replaceAll(/\s+/g, " "),
  ]);
  const all = headers ? [names.map(paint.heading), ...rows] : rows;
  return printLines(all.map((cells) => cells.join("\t")));
}

function paintType({ type, logLevel }: LoggedEvent, paint: Paint): string {
  const colour = logLevel === "error" ? paint.bad : plain.bad;
  return colour(type);
}

/** E.g. "2026-03-01 13:00:05". */
function printTime(time: Date): string {
  const date = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join("-");
  return `${date} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(":")}`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}

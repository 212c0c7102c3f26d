import type { LoggedEvent } from "@weir/flux/api";
import { type Paint, plain } from "./paint.ts";
import { printLines, type TableLook } from "./table.ts";
import { printTime } from "./time.ts";

/** The widest values of columns, so that these are the same in each table of a watch. */
const widest = { type: "autorelease".length, level: "error".length, resources: "RESOURCES".length } as const;

/** Prints a table of events, oldest first, in local time. */
export function printEvents(events: readonly LoggedEvent[], { headers, wide, paint }: TableLook): string {
  const names = wide ? ["TIME", "TYPE", "LEVEL", "RESOURCES", "MESSAGE"] : ["TIME", "TYPE", "MESSAGE"];
  const rows = events.map((event) => [
    printTime(event.endedAt),
    paintType(event, paint),
    ...(wide
      ? [event.logLevel.padEnd(widest.level), String(event.workloads.length).padEnd(widest.resources)]
      : []),
    event.message.replaceAll(/\s+/g, " "),
  ]);
  const all = headers ? [names.map(paint.heading), ...rows] : rows;
  return printLines(all.map((cells) => cells.join("\t")));
}

function paintType({ type, logLevel }: LoggedEvent, paint: Paint): string {
  const colour = logLevel === "error" ? paint.bad : plain.bad;
  return colour(type.padEnd(widest.type));
}

import type { HistoryEntry, HistoryKind } from "@weir/flux/api";
import type { Paint } from "./paint.ts";
import { printLines, type TableLook } from "./table.ts";
import { printTime } from "./time.ts";

const colours: Readonly<Record<HistoryKind, keyof Paint>> = {
  commit: "faint",
  release: "good",
  autorelease: "good",
  policy: "pending",
  undo: "bad",
  sync: "faint",
  drift: "bad",
};

/** Prints a table of the history, in local time; a wide one names everything in full. */
export function printHistory(entries: readonly HistoryEntry[], { headers, wide, paint }: TableLook): string {
  const names = ["TIME", "KIND", "COMMIT", "WHO", "RESOURCES", "MESSAGE"];
  const rows = entries.map((entry) => [
    printTime(entry.at),
    paint[colours[entry.kind]](entry.kind),
    wide ? entry.revision : entry.revision.slice(0, 7),
    oneLine(wide ? entry.user : nameOf(entry.user)),
    wide ? printAll(entry) : printSome(entry),
    oneLine(entry.message),
  ]);
  const all = headers ? [names.map(paint.heading), ...rows] : rows;
  return printLines(all.map((cells) => cells.join("\t")));
}

/** Without the e-mail address, unless there's nothing else. */
function nameOf(user: string): string {
  const name = user.replace(/ *<[^<>]*>$/, "").trim();
  return name === "" ? user : name;
}

function printSome({ resources, more }: HistoryEntry): string {
  const others = Math.max(0, resources.length - 1) + more;
  const [first = "-"] = resources;
  return others === 0 ? first : `${first} (+${others})`;
}

function printAll({ resources, more }: HistoryEntry): string {
  const listed = resources.length === 0 ? "-" : resources.join(",");
  return more === 0 ? listed : `${listed} (+${more})`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

import { type ResourcePreview, toYaml } from "@weir/flux";
import type { DiffReport } from "@weir/flux/api";
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import type { Paint } from "./paint.ts";
import { printLines } from "./table.ts";

/** True for a resource that a sync would change. */
export function isChange({ action }: ResourcePreview): boolean {
  return action !== "leave";
}

/** What the two sides of a diff are called. */
export interface Sides {
  readonly before: string;
  readonly after: string;
}

/** Prints all changes as one unified diff of YAML documents, so that patch viewers can show it. */
export function printDiff(
  { changes, revision }: DiffReport,
  paint: Paint,
  sides: Sides = { before: "live", after: revision.slice(0, 7) },
): string {
  return changes.map((change) => printOne(change, sides, paint)).join("");
}

/** Prints one line for each change. */
export function printChanges(
  { changes }: { readonly changes: readonly ResourcePreview[] },
  paint: Paint,
): string {
  const lines = changes.map((change) => {
    const { action, id, source, error, reason } = change;
    const why = error === "" ? paint.faint(reason) : paint.bad(`refused: ${oneLine(error)}`);
    return `${paintAction(action, paint)}\t${id}\t${source}\t${why}`;
  });
  return printLines(lines).replaceAll(/ +$/gm, "");
}

/** E.g. "At 0123456: 1 to create, 2 to change." */
export function summarize({ revision, changes }: DiffReport): string {
  return `At ${revision.slice(0, 7)}: ${printCounts(changes)}.`;
}

/** E.g. "1 to create, 2 to change". */
export function printCounts(changes: readonly ResourcePreview[]): string {
  const count = (action: ResourcePreview["action"]): number =>
    changes.filter((change) => change.action === action).length;
  const refused = changes.filter(({ error }) => error !== "").length;
  const counts = [
    [count("create"), "to create"],
    [count("change"), "to change"],
    [count("delete"), "to delete"],
    [count("run"), "to run"],
    [refused, "refused"],
  ] as const;
  const parts = counts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  return parts.length === 0 ? "nothing to change" : parts.join(", ");
}

/** The change of one object as a unified diff of YAML documents. */
export function patchOf({ id, before, after }: ResourcePreview, sides: Sides): string {
  return createTwoFilesPatch(
    before === null ? "/dev/null" : `${sides.before}/${id}`,
    after === null ? "/dev/null" : `${sides.after}/${id}`,
    toYaml(before),
    toYaml(after),
    "",
    "",
    { headerOptions: FILE_HEADERS_ONLY },
  );
}

function printOne(change: ResourcePreview, sides: Sides, paint: Paint): string {
  const { action, id, source, error, reason } = change;
  const title = paint.heading(`${action} ${id}${source === "" ? "" : ` (${source})`}`);
  const refused = error === "" ? "" : `${paint.bad(`refused: ${oneLine(error)}`)}\n`;
  if (!isChange(change)) {
    return `${title}${reason === "" ? "" : `: ${paint.faint(reason)}`}\n${refused}`;
  }
  return `${title}\n${refused}${paintPatch(patchOf(change, sides), paint)}`;
}

/** Colors a unified diff. */
export function paintPatch(patch: string, paint: Paint): string {
  return patch
    .split("\n")
    .map((line) => {
      if (line.startsWith("---") || line.startsWith("+++") || line.startsWith("@@")) {
        return paint.faint(line);
      }
      return line.startsWith("+") ? paint.good(line) : line.startsWith("-") ? paint.bad(line) : line;
    })
    .join("\n");
}

function paintAction(action: ResourcePreview["action"], paint: Paint): string {
  switch (action) {
    case "create":
      return paint.good(action);
    case "delete":
      return paint.bad(action);
    case "change":
    case "run":
      return paint.pending(action);
    case "leave":
      return paint.faint(action);
  }
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

import type { UndoPlan } from "@weir/flux/api";
import { paintPatch } from "./diff.ts";
import type { Paint } from "./paint.ts";

/** Prints the diffs of an undo; of a file that contains a Secret, only the name. */
export function printUndoDiff({ files }: UndoPlan, paint: Paint): string {
  return files
    .map(({ path, diff }) =>
      diff === ""
        ? `${paint.heading(path)}: not shown, because it contains a Secret\n`
        : paintPatch(diff, paint),
    )
    .join("");
}

/** Says what an undo does, a line for each thing. */
export function describeUndo(
  { revision, message, author, resources, locks, leftAlone }: UndoPlan,
  isDryRun: boolean,
): string {
  const would = isDryRun ? "Would undo" : "Undoing";
  const deleted = resources.filter(({ what }) => what === "deleted").map(({ id }) => id);
  const lines = [
    `${would} ${revision.slice(0, 7)} ${JSON.stringify(message)} by ${author}, for ${list(resources.map(({ id }) => id))}.`,
    ...(deleted.length === 0
      ? []
      : [`This removes from git, and with garbage collection from the cluster: ${list(deleted)}.`]),
    ...(locks.length === 0
      ? []
      : [`This locks, so that automation doesn't make the change again: ${list(locks)}.`]),
    ...(leftAlone.length === 0 ? [] : [`Not manifests, so they stay as they are: ${list(leftAlone)}.`]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function list(names: readonly string[]): string {
  return names.join(", ");
}

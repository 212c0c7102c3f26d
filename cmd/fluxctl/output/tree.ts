import type { ResourceStatus } from "@weir/flux";
import { type Paint, paintHealth, paintSync } from "./paint.ts";
import { printLines, type TableLook } from "./table.ts";

/** Prints resources and the objects that they own as a tree; a wide table also has their sources. */
export function printTree(resources: readonly ResourceStatus[], { headers, wide, paint }: TableLook): string {
  const names = ["RESOURCE", "SYNC", "HEALTH", ...(wide ? ["SOURCE"] : []), "MESSAGE"];
  const rows = resources.flatMap((resource) => rowsOf(resource, "", "", { wide, paint }));
  const all = headers ? [names.map(paint.heading), ...rows] : rows;
  return printLines(all.map((cells) => cells.join("\t"))).replaceAll(/ +$/gm, "");
}

/**
 * The rows of a resource and the objects that it owns; `branch` is the prefix of the first row, `trunk` that
 * of the rows below it.
 */
function rowsOf(
  resource: ResourceStatus,
  branch: string,
  trunk: string,
  look: { readonly wide: boolean; readonly paint: Paint },
): readonly (readonly string[])[] {
  const { id, sync, health, source, message, children } = resource;
  const { wide, paint } = look;
  const row = [
    `${branch}${id}`,
    paintSync(paint, sync),
    paintHealth(paint, health),
    ...(wide ? [source] : []),
    message.replaceAll(/\s+/g, " "),
  ];
  const below = children.flatMap((child, index) => {
    const isLast = index === children.length - 1;
    return rowsOf(child, `${trunk}${isLast ? "'- " : "|- "}`, `${trunk}${isLast ? "   " : "|  "}`, look);
  });
  return [row, ...below];
}

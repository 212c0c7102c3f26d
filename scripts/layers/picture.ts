import { groups, type Layer } from "./groups.ts";

/** A group that imports another one. */
type Arrow = readonly [from: string, to: string];

/**
 * The groups and what they import as a Mermaid diagram, the highest group first. Throws if a group imports a higher one.
 */
export function printPicture(layers: readonly Layer[]): string {
  const idOf = (group: string): string => `g${rankOf(group)}`;
  const boxes = groups.map(({ name }) => `    ${idOf(name)}["${name}"]`);
  const arrows = longestWays(arrowsOf(layers)).map(([from, to]) => `    ${idOf(from)} --> ${idOf(to)}`);
  return ["```mermaid", "flowchart TD", ...boxes.toReversed(), ...arrows.toReversed(), "```", ""].join("\n");
}

function arrowsOf(layers: readonly Layer[]): readonly Arrow[] {
  const groupOf = new Map(layers.map(({ folder, group }) => [folder, group]));
  return groups.flatMap(({ name: from }) => {
    const imported = layers
      .filter(({ group }) => group === from)
      .flatMap(({ imports }) => imports.flatMap((folder) => groupOf.get(folder) ?? []));
    return [...new Set(imported)].filter((to) => to !== from).map((to) => downward(from, to));
  });
}

function downward(from: string, to: string): Arrow {
  if (rankOf(to) > rankOf(from)) {
    throw new Error(`${from} must not import ${to}`);
  }
  return [from, to];
}

/** Without the arrows between groups that others connect already. */
function longestWays(arrows: readonly Arrow[]): readonly Arrow[] {
  const leads = (from: string, to: string): boolean =>
    from === to || arrows.some(([start, next]) => start === from && leads(next, to));
  return arrows.filter(
    ([from, to]) => !arrows.some(([start, next]) => start === from && next !== to && leads(next, to)),
  );
}

function rankOf(group: string): number {
  return groups.findIndex(({ name }) => name === group);
}

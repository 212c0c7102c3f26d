import type { ImageTools } from "../../../scripts/image/tools.ts";

/** The commands that generators can rely on. */
export function commandsOf({ packages, downloads }: ImageTools): readonly string[] {
  return [
    ...packages.flatMap(({ commands }) => commands),
    ...downloads.map(({ command }) => command),
  ].toSorted();
}

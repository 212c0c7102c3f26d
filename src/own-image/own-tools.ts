import tools from "../../docker/tools.json" with { type: "json" };

/** The commands that were put into Weir's image for generators, beside those of its base image. */
export const ownTools: ReadonlySet<string> = new Set([
  ...tools.downloads.map(({ command }) => command),
  ...tools.packages.flatMap(({ commands }) => commands),
]);

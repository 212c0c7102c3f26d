import { withRegion } from "../generate/region.ts";
import type { ImageTools } from "./tools.ts";

const marks = { begin: "<!-- tools: generated from docker/tools.json -->", end: "<!-- /tools -->" };

/** docs/image.md with its table of tools. */
export function withToolsTable(page: string, { debian, packages, downloads }: ImageTools): string {
  const rows = [
    ...downloads.map(({ command, version }) => [command, version.replace("v", "")]),
    ...packages
      .filter(({ commands }) => commands.length > 0)
      .map(({ package: name, commands }) => [commands.join(", "), `package ${name} of Debian ${debian}`]),
  ];
  const lines = rows.map(([command = "", source = ""]) => `| ${command} | ${source} |`);
  return withRegion(page, marks, `\n| Command | Version or source |\n| --- | --- |\n${lines.join("\n")}\n\n`);
}

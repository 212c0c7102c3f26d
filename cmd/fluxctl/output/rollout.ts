import type { WorkloadStatusReport } from "../../../src/api/types/api-server.ts";
import { printImageRef } from "../../../src/image/ref.ts";
import { alignTabs } from "./table.ts";

/** The table of how far one workload has come: a line for each container, and an empty line below. */
export function printRollout(
  { id, containers, status, rollout }: WorkloadStatusReport,
  verbosity: number,
): string {
  const { updated, desired, outdated, ready } = rollout;
  const details = verbosity > 0 ? ` (${outdated} outdated, ${ready} ready)` : "";
  const [first = "\t", ...others] = containers.map(({ name, image }) => `${name}\t${printImageRef(image)}`);
  const lines = [
    "WORKLOAD\tCONTAINER\tIMAGE\tRELEASE\tREPLICAS",
    `${id}\t${first}\t${status}\t${updated}/${desired}${details}`,
    ...others.map((cells) => `\t${cells}\t\t`),
    "",
  ];
  return alignTabs(lines.map((line) => `${line}\n`).join(""));
}

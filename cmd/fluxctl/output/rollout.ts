import { printImageRef } from "@weir/flux";
import type { WorkloadStatusReport } from "@weir/flux/api";
import { type Paint, paintStatus } from "./paint.ts";
import { printLines } from "./table.ts";

/** Prints the rollout of one workload: a line for each container, followed by an empty line. */
export function printRollout(
  { id, containers, status, rollout }: WorkloadStatusReport,
  verbosity: number,
  paint: Paint,
): string {
  const { updated, desired, outdated, ready } = rollout;
  const details = verbosity > 0 ? ` (${outdated} outdated, ${ready} ready)` : "";
  const [first = "\t", ...others] = containers.map(({ name, image }) => `${name}\t${printImageRef(image)}`);
  const lines = [
    ["WORKLOAD", "CONTAINER", "IMAGE", "RELEASE", "REPLICAS"].map(paint.heading).join("\t"),
    `${id}\t${first}\t${paintStatus(paint, status)}\t${updated}/${desired}${details}`,
    ...others.map((cells) => `\t${cells}\t\t`),
    "",
  ];
  return printLines(lines);
}

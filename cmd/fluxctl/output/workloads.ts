import type { WorkloadStatusReport } from "../../../src/api/types/api-server.ts";
import { printImageRef } from "../../../src/image/ref.ts";
import { hasPolicy } from "../../../src/resource/policy.ts";
import { alignTabs } from "./table.ts";

/** The policies that the table shows, in its order. */
const shownPolicies = ["automated", "ignore", "locked"];

/** The table of list-workloads: a line for each container. */
export function printWorkloads(workloads: readonly WorkloadStatusReport[], headers: boolean): string {
  const heading = headers ? ["WORKLOAD\tCONTAINER\tIMAGE\tRELEASE\tPOLICY"] : [];
  const lines = [...heading, ...workloads.flatMap(linesOf)];
  return alignTabs(lines.map((line) => `${line}\n`).join(""));
}

function linesOf({ id, containers, status, policies }: WorkloadStatusReport): readonly string[] {
  const held = shownPolicies.filter((policy) => hasPolicy(policies, policy)).join(",");
  const [first, ...others] = containers.map(({ name, image }) => `${name}\t${printImageRef(image)}`);
  return [`${id}\t${first ?? "\t"}\t${status}\t${held}`, ...others.map((cells) => `\t${cells}\t\t`)];
}

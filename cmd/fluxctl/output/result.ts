import { compareGoStrings } from "../../../src/base/go-order.ts";
import { printImageRef } from "../../../src/image/ref.ts";
import type { ResourceId } from "../../../src/resource/id.ts";
import type { UpdateResult, UpdateStatus, WorkloadResult } from "../../../src/update/result.ts";
import { alignTabs } from "./table.ts";

/** How often -v has to be given for workloads with that result to be shown. */
const verbosityOf: Readonly<Record<UpdateStatus, number>> = {
  success: 0,
  failed: 0,
  unknown: 0,
  skipped: 1,
  ignored: 2,
};

/** The table of what an update did, by workload. */
export function printResult(result: UpdateResult, verbosity: number): string {
  const shown = [...result]
    .filter(([, { status }]) => verbosityOf[status] <= verbosity)
    .toSorted(([a], [b]) => compareGoStrings(a, b));
  const lines = ["WORKLOAD \tSTATUS \tUPDATES", ...shown.flatMap(linesOf)];
  return alignTabs(lines.map((line) => `${line}\n`).join(""));
}

function linesOf([id, result]: readonly [ResourceId, WorkloadResult]): readonly string[] {
  const [first = "", ...others] = updatesOf(result);
  return [`${id}\t${result.status}\t${first}`, ...others.map((update) => `\t\t${update}`)];
}

function updatesOf({ error, containers }: WorkloadResult): readonly string[] {
  const changes = (containers ?? []).map(({ container, current, target }) => {
    const from = current === undefined ? "" : printImageRef(current);
    return `${container}: ${from} -> ${target.tag}`;
  });
  return error === undefined || error === "" ? changes : [error, ...changes];
}

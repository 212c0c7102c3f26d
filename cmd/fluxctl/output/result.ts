import { compareGoStrings } from "@weir/base";
import {
  type ContainerUpdate,
  printImageRef,
  type ResourceId,
  type UpdateResult,
  type UpdateStatus,
  type WorkloadResult,
} from "@weir/flux";
import { type Paint, paintOutcome } from "./paint.ts";
import { printLines } from "./table.ts";

/** How many -v flags are needed to show workloads with that result. */
const verbosityOf: Readonly<Record<UpdateStatus, number>> = {
  success: 0,
  failed: 0,
  unknown: 0,
  skipped: 1,
  ignored: 2,
};

/** The heading of a result table, with cells separated by tabs. */
export function resultHeading(paint: Paint): string {
  return ["WORKLOAD ", "STATUS ", "UPDATES"].map(paint.heading).join("\t");
}

/** A row of a result: an update, or another message about a workload. */
export interface ResultRow {
  readonly id: ResourceId;
  /** Separated by tabs; only the first row of a workload contains its name. */
  readonly cells: string;
  readonly update?: ContainerUpdate;
}

/** Prints the table of what an update did, by workload. */
export function printResult(result: UpdateResult, verbosity: number, paint: Paint): string {
  return printLines([
    resultHeading(paint),
    ...resultRows(result, verbosity, paint).map(({ cells }) => cells),
  ]);
}

/** The rows of that table, sorted by workload: skipped workloads with -v, ignored ones with -vv. */
export function resultRows(result: UpdateResult, verbosity: number, paint: Paint): readonly ResultRow[] {
  return [...result]
    .filter(([, { status }]) => verbosityOf[status] <= verbosity)
    .toSorted(([a], [b]) => compareGoStrings(a, b))
    .flatMap(([id, workload]) => rowsOf(id, workload, paint));
}

function rowsOf(
  id: ResourceId,
  { status, error = "", containers }: WorkloadResult,
  paint: Paint,
): readonly ResultRow[] {
  const updates = (containers ?? []).map((update) => ({ text: printUpdate(update), update }));
  const notes = error !== "" || updates.length === 0 ? [{ text: error }] : [];
  return [...notes, ...updates].map(({ text, ...rest }, index) => ({
    id,
    cells: index === 0 ? `${id}\t${paintOutcome(paint, status)}\t${text}` : `\t\t${text}`,
    ...rest,
  }));
}

function printUpdate({ container, current, target }: ContainerUpdate): string {
  return `${container}: ${current === undefined ? "" : printImageRef(current)} -> ${target.tag}`;
}

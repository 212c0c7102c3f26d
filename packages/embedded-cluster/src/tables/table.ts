/** Lists as tables, which kubectl shows as they are. */
import type { JsonObject } from "@weir/base";
import type { Tree, TreeNode } from "../tree.ts";
import type { Cells } from "./cell-text.ts";

/** The columns of a kind and how to fill them. */
export interface TableColumns {
  readonly definitions: readonly JsonObject[];
  readonly cells: Cells;
}

/** What stands beside the cells of a row: the metadata, the whole object, or nothing. */
export type IncludeObject = "Metadata" | "Object" | "None";

/** How the rows of a table are made. */
export interface RowForm {
  readonly columns: TableColumns;
  readonly include: IncludeObject;
  /** Of the group meta.k8s.io, e.g. "v1". */
  readonly version: string;
  /** In milliseconds, for the ages. */
  readonly now: number;
}

/** One row. */
export function tableRow(object: Tree, { columns, include, version, now }: RowForm): object {
  const cells = columns.cells(object, now).slice(0, columns.definitions.length);
  return {
    cells,
    ...conditionsOf(object),
    ...(include === "None"
      ? { object: null }
      : { object: include === "Object" ? object : partialMetadata(object, version) }),
  };
}

/** What a table holds. All events of a watch but the first leave out the definitions. */
export interface TableContent {
  readonly metadata: object;
  readonly definitions: readonly JsonObject[];
  readonly rows: readonly object[];
}

/** A table of rows, in that version of the group meta.k8s.io. */
export function tableBody({ metadata, definitions, rows }: TableContent, version: string): object {
  return {
    kind: "Table",
    apiVersion: `meta.k8s.io/${version}`,
    metadata,
    columnDefinitions: definitions,
    rows,
  };
}

/** An object with nothing but its metadata. */
export function partialMetadata(object: Tree, version: string): Tree {
  return {
    kind: "PartialObjectMetadata",
    apiVersion: `meta.k8s.io/${version}`,
    metadata: object["metadata"] ?? {},
  };
}

/** Finished pods are marked, so that kubectl can tell them apart. */
function conditionsOf(object: Tree): object {
  const phase = object["kind"] === "Pod" ? phaseOf(object["status"]) : undefined;
  if (phase === "Succeeded" || phase === "Failed") {
    const message = phase === "Succeeded" ? "The pod has completed successfully." : "The pod failed.";
    return { conditions: [{ type: "Completed", status: "True", reason: phase, message }] };
  }
  return {};
}

function phaseOf(status: TreeNode | undefined): TreeNode | undefined {
  return typeof status === "object" && status !== null && !Array.isArray(status)
    ? status["phase"]
    : undefined;
}

import { stringAt } from "../tree.ts";
import { ageOf, type Cells } from "./cell-text.ts";
import { networkCells } from "./network-cells.ts";
import { otherCells } from "./other-cells.ts";
import { podCells } from "./pod-cells.ts";
import type { TableColumns } from "./table.ts";
import { workloadCells } from "./workload-cells.ts";

/** The columns in which the objects of a bucket are shown, with the cells that fill them. */
export function builtinColumns(bucket: string, definitions: TableColumns["definitions"]): TableColumns {
  const names = definitions.map(({ name }) => (typeof name === "string" ? name : ""));
  return { definitions, cells: all.get(bucket) ?? plainCells(names) };
}

/** The cells of kinds of which little is known: a name and when it was made. */
function plainCells(columns: readonly string[]): Cells {
  return (object, now) =>
    columns.map((column) => {
      switch (column) {
        case "Name":
          return stringAt(object, "metadata", "name");
        case "Created At":
          return stringAt(object, "metadata", "creationTimestamp");
        case "Age":
          return ageOf(object, now);
        default:
          return "";
      }
    });
}

const all: ReadonlyMap<string, Cells> = new Map(
  [podCells, workloadCells, networkCells, otherCells].flatMap((table) => Object.entries(table)),
);

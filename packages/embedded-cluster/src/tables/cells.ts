import { stringAt } from "../tree.ts";
import { ageOf, type Cells, nameOf } from "./cell-text.ts";
import type { TableColumns } from "./table.ts";

/** Columns with the cells that fill them; where a kind has none of its own, its name and when it was made. */
export function tableColumns(definitions: TableColumns["definitions"], cells?: Cells): TableColumns {
  const names = definitions.map(({ name }) => (typeof name === "string" ? name : ""));
  return { definitions, cells: cells ?? plainCells(names) };
}

function plainCells(columns: readonly string[]): Cells {
  return (object, now) =>
    columns.map((column) => {
      switch (column) {
        case "Name":
          return nameOf(object);
        case "Created At":
          return stringAt(object, "metadata", "creationTimestamp");
        case "Age":
          return ageOf(object, now);
        default:
          return "";
      }
    });
}

import { ageOf, type Cells, nameOf } from "../../tables/cell-text.ts";
import { listAt } from "../../tree.ts";
import type { Kind } from "../kind.ts";

/** The cells of ServiceAccounts. */
const serviceAccountCells: Cells = (object, now) => [
  nameOf(object),
  listAt(object, "secrets").length,
  ageOf(object, now),
];

/** ServiceAccounts. */
export const serviceAccount: Kind = {
  bucket: "serviceaccounts",
  rules: { returnsDeleted: true },
  cells: serviceAccountCells,
};

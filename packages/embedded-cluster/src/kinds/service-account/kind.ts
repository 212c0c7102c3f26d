import { ageOf, nameOf } from "../../tables/cell-text.ts";
import { listAt } from "../../tree.ts";
import type { Kind } from "../kind.ts";

/** ServiceAccounts. */
export const serviceAccount: Kind = {
  bucket: "serviceaccounts",
  rules: { returnsDeleted: true },
  cells: (object, now) => [nameOf(object), listAt(object, "secrets").length, ageOf(object, now)],
};

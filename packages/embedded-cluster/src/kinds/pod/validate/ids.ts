import { type FieldError, invalid } from "../../../field-errors.ts";
import { nodeAt, type Tree } from "../../../tree.ts";
import { rangeMessage } from "../../../validate/text-rules.ts";
import { below } from "../../../validate/tree-checks.ts";

const mostId = 2 ** 31 - 1;

/** The id of a user or group in a field, where it is set. */
export function checkId(path: string, tree: Tree | undefined, field: string): FieldError[] {
  const id = nodeAt(tree, field);
  return typeof id === "number" && (id < 0 || id > mostId)
    ? [invalid(below(path, field), id, rangeMessage(0, mostId))]
    : [];
}

import { ageOf, nameOf } from "../../tables/cell-text.ts";
import { stringAt, type Tree, type TreeNode, treesAt } from "../../tree.ts";

/** The cells of RoleBindings and ClusterRoleBindings. */
export function bindingCells(binding: Tree, now: number): TreeNode[] {
  const subjects = treesAt(binding, "subjects");
  const named = (kind: string): string =>
    subjects
      .filter((subject) => subject["kind"] === kind)
      .map((subject) =>
        kind === "ServiceAccount"
          ? `${stringAt(subject, "namespace")}/${stringAt(subject, "name")}`
          : stringAt(subject, "name"),
      )
      .join(", ");
  return [
    nameOf(binding),
    `${stringAt(binding, "roleRef", "kind")}/${stringAt(binding, "roleRef", "name")}`,
    ageOf(binding, now),
    named("User"),
    named("Group"),
    named("ServiceAccount"),
  ];
}

import { ageOf, nameOf } from "../../tables/cell-text.ts";
import { ensureTree, setDefault, stringAt, type Tree, type TreeNode, treesAt } from "../../tree.ts";
import type { Kind } from "../kind.ts";
import { clusterRoleBindingRules, clusterRoleRules, roleBindingRules, roleRules } from "./rules.ts";

/** The cells of RoleBindings and ClusterRoleBindings. */
function bindingCells(binding: Tree, now: number): TreeNode[] {
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

const rbac = "rbac.authorization.k8s.io";

function defaultRoleRef(binding: Tree): void {
  setDefault(ensureTree(binding, "roleRef"), "apiGroup", rbac);
}

function defaultSubject(subject: Tree): void {
  if (subject["kind"] === "User" || subject["kind"] === "Group") {
    setDefault(subject, "apiGroup", rbac);
  }
}

/** Roles and bindings, in namespaces and of the cluster. */
export const rbacKinds: readonly Kind[] = [
  { bucket: "roles.rbac.authorization.k8s.io", rules: roleRules },
  { bucket: "clusterroles.rbac.authorization.k8s.io", rules: clusterRoleRules },
  {
    bucket: "rolebindings.rbac.authorization.k8s.io",
    rules: roleBindingRules,
    defaults: {
      "io.k8s.api.rbac.v1.ClusterRoleBinding": defaultRoleRef,
      "io.k8s.api.rbac.v1.RoleBinding": defaultRoleRef,
      "io.k8s.api.rbac.v1.Subject": defaultSubject,
    },
    cells: bindingCells,
  },
  {
    bucket: "clusterrolebindings.rbac.authorization.k8s.io",
    rules: clusterRoleBindingRules,
    cells: bindingCells,
  },
];

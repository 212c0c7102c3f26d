/** Roles and bindings. Nothing in the embedded cluster asks them; they are kept as they would be. */

import { type FieldError, faults, invalid, notSupported, required } from "../../field-errors.ts";
import type { KindRules } from "../../resources/kind-rules.ts";
import {
  own,
  semanticallyEqual,
  stringAt,
  stringsAt,
  type Tree,
  type TreeNode,
  treeAt,
  treesAt,
} from "../../tree.ts";
import { dnsSubdomain, pathSegment } from "../../validate/text-rules.ts";
import { below, checkEach, checkLabelSelector, checkText } from "../../validate/tree-checks.ts";

const group = "rbac.authorization.k8s.io";

/** The rules of Roles. */
export const roleRules: KindRules = {
  nameRule: pathSegment,
  createOnUpdate: true,
  check: ({ tree: role }) => checkRules(role, true),
};

/** The rules of ClusterRoles. */
export const clusterRoleRules: KindRules = {
  nameRule: pathSegment,
  createOnUpdate: true,
  check: ({ tree: role }) => [
    ...checkRules(role, false),
    ...checkAggregation(treeAt(role, "aggregationRule")),
  ],
};

/** The rules of RoleBindings. */
export const roleBindingRules: KindRules = {
  nameRule: pathSegment,
  createOnUpdate: true,
  check: ({ tree: binding }) => checkBinding(binding, true),
  checkUpdate: ({ tree }, { tree: old }) => checkSameRole(tree, old),
};

/** The rules of ClusterRoleBindings. */
export const clusterRoleBindingRules: KindRules = {
  nameRule: pathSegment,
  createOnUpdate: true,
  check: ({ tree: binding }) => checkBinding(binding, false),
  checkUpdate: ({ tree }, { tree: old }) => checkSameRole(tree, old),
};

function checkRules(role: Tree, namespaced: boolean): FieldError[] {
  return checkEach("rules", treesAt(role, "rules"), (path, rule) => {
    const count = (field: string): number => stringsAt(rule, field).length;
    const verbs =
      count("verbs") > 0 ? [] : [required(below(path, "verbs"), "verbs must contain at least one value")];
    return [
      ...verbs,
      ...(count("nonResourceURLs") > 0 ? checkUrls(path, rule, namespaced) : checkResources(path, rule)),
    ];
  });
}

function checkUrls(path: string, rule: Tree, namespaced: boolean): FieldError[] {
  const at = below(path, "nonResourceURLs");
  const urls: TreeNode = stringsAt(rule, "nonResourceURLs");
  const isMixed = ["apiGroups", "resources", "resourceNames"].some(
    (field) => stringsAt(rule, field).length > 0,
  );
  return faults(
    namespaced && invalid(at, urls, "namespaced rules cannot apply to non-resource URLs"),
    isMixed && invalid(at, urls, "rules cannot apply to both regular resources and non-resource URLs"),
  );
}

function checkResources(path: string, rule: Tree): FieldError[] {
  return faults(
    stringsAt(rule, "apiGroups").length > 0 ||
      required(below(path, "apiGroups"), "resource rules must supply at least one api group"),
    stringsAt(rule, "resources").length > 0 ||
      required(below(path, "resources"), "resource rules must supply at least one resource"),
  );
}

function checkAggregation(rule: Tree | undefined): FieldError[] {
  const path = "aggregationRule.clusterRoleSelectors";
  const selectors = treesAt(rule, "clusterRoleSelectors");
  if (rule !== undefined && selectors.length === 0) {
    return [required(path, "at least one clusterRoleSelector required if aggregationRule is non-nil")];
  }
  return checkEach(path, selectors, checkLabelSelector);
}

function checkBinding(binding: Tree, namespaced: boolean): FieldError[] {
  const role = treeAt(binding, "roleRef");
  const kinds = namespaced ? ["Role", "ClusterRole"] : ["ClusterRole"];
  const [apiGroup, kind, name] = [stringAt(role, "apiGroup"), stringAt(role, "kind"), stringAt(role, "name")];
  return faults(
    apiGroup === group || notSupported("roleRef.apiGroup", apiGroup, [group]),
    kinds.includes(kind) || notSupported("roleRef.kind", kind, kinds),
    name === "" ? required("roleRef.name") : checkText("roleRef.name", name, pathSegment),
    checkEach("subjects", treesAt(binding, "subjects"), (path, subject) =>
      checkSubject(path, subject, namespaced),
    ),
  );
}

function checkSubject(path: string, subject: Tree, namespaced: boolean): FieldError[] {
  const name = stringAt(subject, "name");
  const missing = name === "" ? [required(below(path, "name"))] : [];
  const apiGroup = stringAt(subject, "apiGroup");
  switch (stringAt(subject, "kind")) {
    case "ServiceAccount":
      return faults(
        missing,
        name === "" || checkText(below(path, "name"), name, dnsSubdomain),
        apiGroup === "" || notSupported(below(path, "apiGroup"), apiGroup, [""]),
        !namespaced && stringAt(subject, "namespace") === "" && required(below(path, "namespace")),
      );
    case "User":
    case "Group":
      return apiGroup === group
        ? missing
        : [...missing, notSupported(below(path, "apiGroup"), apiGroup, [group])];
    default: {
      const kinds = ["ServiceAccount", "User", "Group"];
      return [...missing, notSupported(below(path, "kind"), stringAt(subject, "kind"), kinds)];
    }
  }
}

/** Whom a binding is for may change, what it gives may not. */
function checkSameRole(binding: Tree, old: Tree): FieldError[] {
  const role = treeAt(binding, "roleRef");
  if (semanticallyEqual(role, own(old, "roleRef"))) {
    return [];
  }
  // Shown as the API server does: by the names of its own fields.
  const shown = {
    APIGroup: stringAt(role, "apiGroup"),
    Kind: stringAt(role, "kind"),
    Name: stringAt(role, "name"),
  };
  return [invalid("roleRef", shown, "cannot change roleRef")];
}

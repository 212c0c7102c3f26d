/** Roles and bindings. Nothing in the embedded cluster asks them; they are kept as they would be. */

import { type FieldError, faults } from "../../field-errors.ts";
import type { KindRules } from "../../resources/kind-rules.ts";
import { checkLabelSelector, checkNotEmpty } from "../../validate/checks.ts";
import type { Field } from "../../validate/field.ts";
import { dnsSubdomain, pathSegment } from "../../validate/text-rules.ts";

const group = "rbac.authorization.k8s.io";

const common: KindRules = { nameRule: pathSegment, createOnUpdate: true };

/** The rules of Roles. */
export const roleRules: KindRules = {
  ...common,
  check: (role) => role.at("rules").each((rule) => checkRule(rule, true)),
};

/** The rules of ClusterRoles. */
export const clusterRoleRules: KindRules = {
  ...common,
  check: (role) => [
    ...role.at("rules").each((rule) => checkRule(rule, false)),
    ...checkAggregation(role.at("aggregationRule")),
  ],
};

/** The rules of RoleBindings. */
export const roleBindingRules: KindRules = {
  ...common,
  check: (binding) => checkBinding(binding, true),
  checkUpdate: checkSameRole,
};

/** The rules of ClusterRoleBindings. */
export const clusterRoleBindingRules: KindRules = {
  ...common,
  check: (binding) => checkBinding(binding, false),
  checkUpdate: checkSameRole,
};

function checkRule(rule: Field, namespaced: boolean): FieldError[] {
  return [
    ...checkNotEmpty(rule.at("verbs"), "verbs must contain at least one value"),
    ...(rule.at("nonResourceURLs").items.length > 0 ? checkUrls(rule, namespaced) : checkResources(rule)),
  ];
}

function checkUrls(rule: Field, namespaced: boolean): FieldError[] {
  const urls = rule.at("nonResourceURLs");
  const isMixed = ["apiGroups", "resources", "resourceNames"].some((list) => rule.at(list).items.length > 0);
  return faults(
    namespaced && urls.invalid("namespaced rules cannot apply to non-resource URLs"),
    isMixed && urls.invalid("rules cannot apply to both regular resources and non-resource URLs"),
  );
}

function checkResources(rule: Field): FieldError[] {
  return [
    ...checkNotEmpty(rule.at("apiGroups"), "resource rules must supply at least one api group"),
    ...checkNotEmpty(rule.at("resources"), "resource rules must supply at least one resource"),
  ];
}

function checkAggregation(rule: Field): FieldError[] {
  const selectors = rule.at("clusterRoleSelectors");
  const why = "at least one clusterRoleSelector required if aggregationRule is non-nil";
  return faults(rule.isSet && checkNotEmpty(selectors, why), selectors.each(checkLabelSelector));
}

function checkBinding(binding: Field, namespaced: boolean): FieldError[] {
  const role = binding.at("roleRef");
  return [
    ...role.at("apiGroup").oneOf([group]),
    ...role.at("kind").oneOf(namespaced ? ["Role", "ClusterRole"] : ["ClusterRole"]),
    ...role.at("name").needs(pathSegment),
    ...binding.at("subjects").each((subject) => checkSubject(subject, namespaced)),
  ];
}

function checkSubject(subject: Field, namespaced: boolean): FieldError[] {
  const [kind, name, apiGroup] = [subject.at("kind"), subject.at("name"), subject.at("apiGroup")];
  switch (kind.text) {
    case "ServiceAccount":
      return [
        ...name.needs(dnsSubdomain),
        ...apiGroup.oneOf([""]),
        ...(namespaced ? [] : subject.at("namespace").needs()),
      ];
    case "User":
    case "Group":
      return [...name.needs(), ...apiGroup.oneOf([group])];
    default:
      return [...name.needs(), ...kind.oneOf(["ServiceAccount", "User", "Group"])];
  }
}

/** Whom a binding is for may change, what it gives may not. */
function checkSameRole(binding: Field, old: Field): FieldError[] {
  const role = binding.at("roleRef");
  // Shown as the API server does: by the names of its own fields.
  const shown = {
    APIGroup: role.at("apiGroup").text,
    Kind: role.at("kind").text,
    Name: role.at("name").text,
  };
  return faults(role.equals(old.at("roleRef")) || role.invalid("cannot change roleRef", shown));
}

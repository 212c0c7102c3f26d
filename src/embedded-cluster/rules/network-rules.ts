/** Ingresses, their classes, and network policies. */
import { type FieldError, forbidden, required, tooLong } from "../field-errors.ts";
import { changesOf, type KindRules } from "../resources/kind-rules.ts";
import { treeOf } from "../storage/stored-object.ts";
import { ensureTree, nodeAt, stringAt, type Tree, treeAt } from "../tree.ts";
import { checkChoice, checkUnchanged } from "../validate/checks.ts";
import { checkDomainPath, checkIngress, checkReference } from "../validate/ingress.ts";
import { checkNetworkPolicy } from "../validate/network-policy.ts";

/** The rules of NetworkPolicies. */
export const networkPolicyRules: KindRules = { generation: changesOf("spec"), check: checkNetworkPolicy };

/** The rules of Ingresses. One that names no class gets the one that is marked as the default. */
export const ingressRules: KindRules = {
  generation: changesOf("spec"),
  admit: (ingress, old, { cluster }) => {
    const hasClass =
      nodeAt(ingress, "spec", "ingressClassName") !== undefined ||
      nodeAt(ingress, "metadata", "annotations", "kubernetes.io/ingress.class") !== undefined;
    if (old !== undefined || hasClass) {
      return;
    }
    const found = cluster
      .all("ingressclasses.networking.k8s.io")
      .map((stored) => treeOf(stored))
      .find(
        (one) =>
          stringAt(one, "metadata", "annotations", "ingressclass.kubernetes.io/is-default-class") === "true",
      );
    if (found !== undefined) {
      ensureTree(ingress, "spec")["ingressClassName"] = stringAt(found, "metadata", "name");
    }
  },
  check: checkIngress,
};

/** The rules of IngressClasses. */
export const ingressClassRules: KindRules = {
  generation: changesOf("spec"),
  check: (one) => {
    const spec = treeAt(one, "spec") ?? {};
    const controller = stringAt(spec, "controller");
    return [
      ...(controller.length > 250 ? [tooLong("spec.controller", 250)] : []),
      ...checkDomainPath("spec.controller", controller),
      ...checkParameters(treeAt(spec, "parameters")),
    ];
  },
  checkUpdate: (one, old) =>
    checkUnchanged("spec.controller", nodeAt(one, "spec", "controller"), nodeAt(old, "spec", "controller")),
};

function checkParameters(parameters: Tree | undefined): FieldError[] {
  if (parameters === undefined) {
    return [];
  }
  const path = "spec.parameters";
  const scope = stringAt(parameters, "scope");
  const namespace = stringAt(parameters, "namespace");
  const errors = checkReference(path, parameters);
  if (scope === "") {
    return [...errors, required(`${path}.scope`)];
  }
  if (scope === "Namespace" && namespace === "") {
    return [...errors, required(`${path}.namespace`, "`parameters.scope` is set to 'Namespace'")];
  }
  if (scope === "Cluster" && namespace !== "") {
    return [...errors, forbidden(`${path}.namespace`, "`parameters.scope` is set to 'Cluster'")];
  }
  return [...errors, ...checkChoice(`${path}.scope`, scope, ["Cluster", "Namespace"])];
}

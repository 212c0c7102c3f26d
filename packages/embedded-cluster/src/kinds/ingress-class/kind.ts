import { type FieldError, faults } from "../../field-errors.ts";
import { changesOf } from "../../resources/kind-rules.ts";
import { ageOf, nameOf } from "../../tables/cell-text.ts";
import { nodeAt, setDefault, stringAt, type Tree, treeAt } from "../../tree.ts";
import type { Field } from "../../validate/field.ts";
import { dnsSubdomain, withRegex } from "../../validate/text-rules.ts";
import { checkReference } from "../ingress/validate.ts";
import type { Kind } from "../kind.ts";

function classParameters(ingressClass: Tree): string {
  const parameters = nodeAt(ingressClass, "spec", "parameters");
  if (parameters === undefined) {
    return "<none>";
  }
  const group = stringAt(parameters, "apiGroup");
  const kind = stringAt(parameters, "kind");
  return `${group === "" ? kind : `${kind}.${group}`}/${stringAt(parameters, "name")}`;
}

const pathRegex = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";

/** A domain and a path below it, e.g. "acme.io/foo". */
function checkDomainPath(field: Field): FieldError[] {
  const [domain = "", ...rest] = field.text.split("/");
  const path = rest.join("/");
  if (domain === "" || path === "") {
    const why = 'must be a domain-prefixed path (such as "acme.io/foo")';
    return [field.text === "" ? field.required() : field.invalid(why)];
  }
  return faults(
    field.holding(domain).follows(dnsSubdomain),
    new RegExp(`^${pathRegex}$`).test(path) || field.invalid(withRegex("Invalid path", pathRegex), path),
  );
}

function checkParameters(parameters: Field): FieldError[] {
  return parameters.isSet ? [...checkReference(parameters), ...checkScope(parameters)] : [];
}

function checkScope(parameters: Field): FieldError[] {
  const [scope, namespace] = [parameters.at("scope"), parameters.at("namespace")];
  switch (scope.text) {
    case "":
      return [scope.required()];
    case "Namespace":
      return namespace.needs(undefined, "`parameters.scope` is set to 'Namespace'");
    case "Cluster":
      return faults(namespace.text === "" || namespace.forbidden("`parameters.scope` is set to 'Cluster'"));
    default:
      return scope.oneOf(["Cluster", "Namespace"]);
  }
}

/** IngressClasses. */
export const ingressClass: Kind = {
  bucket: "ingressclasses.networking.k8s.io",
  rules: {
    generation: changesOf("spec"),
    check: (one) => {
      const controller = one.at("spec.controller");
      return faults(
        controller.text.length > 250 && controller.tooLong(250),
        checkDomainPath(controller),
        checkParameters(one.at("spec.parameters")),
      );
    },
    checkUpdate: (one, old) => one.at("spec.controller").unchanged(old.at("spec.controller")),
  },
  defaults: {
    "io.k8s.api.networking.v1.IngressClass": (ingressClass) => {
      const parameters = treeAt(ingressClass, "spec", "parameters");
      if (parameters !== undefined) {
        setDefault(parameters, "scope", "Cluster");
      }
    },
  },
  cells: (object, now) => [
    nameOf(object),
    stringAt(object, "spec", "controller"),
    classParameters(object),
    ageOf(object, now),
  ],
};

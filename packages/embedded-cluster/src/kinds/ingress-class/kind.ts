import { type FieldError, faults, forbidden, required, tooLong } from "../../field-errors.ts";
import { changesOf, type KindRules } from "../../resources/kind-rules.ts";
import { ageOf, type Cells, nameOf } from "../../tables/cell-text.ts";
import { nodeAt, setDefault, stringAt, type Tree, treeAt } from "../../tree.ts";
import { checkChoice, checkUnchanged } from "../../validate/tree-checks.ts";
import { checkDomainPath, checkReference } from "../ingress/validate.ts";
import type { Defaults, Kind } from "../kind.ts";

/** The cells of IngressClasses. */
const ingressClassCells: Cells = (object, now) => [
  nameOf(object),
  stringAt(object, "spec", "controller"),
  classParameters(object),
  ageOf(object, now),
];

function classParameters(ingressClass: Tree): string {
  const parameters = nodeAt(ingressClass, "spec", "parameters");
  if (parameters === undefined) {
    return "<none>";
  }
  const group = stringAt(parameters, "apiGroup");
  const kind = stringAt(parameters, "kind");
  return `${group === "" ? kind : `${kind}.${group}`}/${stringAt(parameters, "name")}`;
}

/** The defaults of IngressClasses. */
const ingressClassDefaults: Defaults = {
  "io.k8s.api.networking.v1.IngressClass": (ingressClass) => {
    const parameters = treeAt(ingressClass, "spec", "parameters");
    if (parameters !== undefined) {
      setDefault(parameters, "scope", "Cluster");
    }
  },
};

/** The rules of IngressClasses. */
const ingressClassRules: KindRules = {
  generation: changesOf("spec"),
  check: ({ tree: one }) => {
    const spec = treeAt(one, "spec") ?? {};
    const controller = stringAt(spec, "controller");
    return faults(
      controller.length > 250 && tooLong("spec.controller", 250),
      checkDomainPath("spec.controller", controller),
      checkParameters(treeAt(spec, "parameters")),
    );
  },
  checkUpdate: ({ tree: one }, { tree: old }) =>
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

/** IngressClasses. */
export const ingressClass: Kind = {
  bucket: "ingressclasses.networking.k8s.io",
  rules: ingressClassRules,
  defaults: ingressClassDefaults,
  cells: ingressClassCells,
};

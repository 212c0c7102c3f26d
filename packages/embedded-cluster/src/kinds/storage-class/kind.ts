import { type FieldError, faults } from "../../field-errors.ts";
import type { KindRules } from "../../resources/kind-rules.ts";
import { ageOf, type Cells, nameOf } from "../../tables/cell-text.ts";
import { isTrueAt, setDefault, stringAt } from "../../tree.ts";
import type { Field } from "../../validate/field.ts";
import { qualifiedKey } from "../../validate/text-rules.ts";
import type { Defaults, Kind } from "../kind.ts";

/** The cells of StorageClasses. */
const storageClassCells: Cells = (object, now) => [
  stringAt(object, "metadata", "annotations", "storageclass.kubernetes.io/is-default-class") === "true"
    ? `${nameOf(object)} (default)`
    : nameOf(object),
  stringAt(object, "provisioner"),
  stringAt(object, "reclaimPolicy") || "Delete",
  stringAt(object, "volumeBindingMode") || "Immediate",
  isTrueAt(object, "allowVolumeExpansion"),
  ageOf(object, now),
];

const maxParameters = 512;

const fixed = ["parameters", "provisioner", "reclaimPolicy"];

/** The rules of StorageClasses. */
const storageClassRules: KindRules = {
  returnsDeleted: true,
  check: (one) => [
    ...checkProvisioner(one.at("provisioner")),
    ...checkParameters(one.at("parameters")),
    ...one.at("reclaimPolicy").oneOf(["Delete", "Retain"]),
    ...one.at("volumeBindingMode").check(),
  ],
  checkUpdate: (one, old) => [
    ...one.all(
      fixed,
      (field) =>
        field.equals(old.at(field.path)) || field.forbidden(`updates to ${field.path} are forbidden.`),
    ),
    ...one.at("volumeBindingMode").unchanged(old.at("volumeBindingMode")),
  ],
};

function checkProvisioner(provisioner: Field): FieldError[] {
  return provisioner.holding(provisioner.text.toLowerCase()).check(qualifiedKey);
}

function checkParameters(parameters: Field): FieldError[] {
  const names = Object.keys(parameters.tree);
  return faults(
    names.length > maxParameters && parameters.tooLong(maxParameters),
    names.includes("") && parameters.invalid("field can not be empty.", ""),
  );
}

/** The defaults of StorageClasses. */
const storageClassDefaults: Defaults = {
  "io.k8s.api.storage.v1.StorageClass": (storage) => {
    setDefault(storage, "reclaimPolicy", "Delete");
    setDefault(storage, "volumeBindingMode", "Immediate");
  },
};

/** StorageClasses. */
export const storageClass: Kind = {
  bucket: "storageclasses.storage.k8s.io",
  rules: storageClassRules,
  defaults: storageClassDefaults,
  cells: storageClassCells,
};

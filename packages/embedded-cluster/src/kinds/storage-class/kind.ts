import { type FieldError, faults } from "../../field-errors.ts";
import { ageOf, nameOf } from "../../tables/cell-text.ts";
import { isTrueAt, setDefault, stringAt } from "../../tree.ts";
import type { Field } from "../../validate/field.ts";
import { qualifiedKey } from "../../validate/text-rules.ts";
import type { Kind } from "../kind.ts";

const maxParameters = 512;

const fixed = ["parameters", "provisioner", "reclaimPolicy"];

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

/** StorageClasses. */
export const storageClass: Kind = {
  bucket: "storageclasses.storage.k8s.io",
  rules: {
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
  },
  defaults: {
    "io.k8s.api.storage.v1.StorageClass": (storage) => {
      setDefault(storage, "reclaimPolicy", "Delete");
      setDefault(storage, "volumeBindingMode", "Immediate");
    },
  },
  cells: (object, now) => [
    stringAt(object, "metadata", "annotations", "storageclass.kubernetes.io/is-default-class") === "true"
      ? `${nameOf(object)} (default)`
      : nameOf(object),
    stringAt(object, "provisioner"),
    stringAt(object, "reclaimPolicy") || "Delete",
    stringAt(object, "volumeBindingMode") || "Immediate",
    isTrueAt(object, "allowVolumeExpansion"),
    ageOf(object, now),
  ],
};

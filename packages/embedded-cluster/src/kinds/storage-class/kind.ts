import { type FieldError, faults, forbidden, invalid, required, tooLong } from "../../field-errors.ts";
import type { KindRules } from "../../resources/kind-rules.ts";
import { ageOf, type Cells, nameOf } from "../../tables/cell-text.ts";
import { isTrueAt, own, semanticallyEqual, setDefault, stringAt, type Tree, treeAt } from "../../tree.ts";
import { qualifiedKey } from "../../validate/text-rules.ts";
import { checkChoice, checkEnum, checkText, checkUnchanged } from "../../validate/tree-checks.ts";
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

function checkParameters(one: Tree): FieldError[] {
  const names = Object.keys(treeAt(one, "parameters") ?? {});
  return faults(
    names.length > maxParameters && tooLong("parameters", maxParameters),
    names.includes("") && invalid("parameters", "", "field can not be empty."),
  );
}

/** The rules of StorageClasses. */
const storageClassRules: KindRules = {
  returnsDeleted: true,
  check: ({ tree: one }) => {
    const provisioner = stringAt(one, "provisioner");
    return [
      ...(provisioner === ""
        ? [required("provisioner")]
        : checkText("provisioner", provisioner.toLowerCase(), qualifiedKey)),
      ...checkParameters(one),
      ...checkChoice("reclaimPolicy", stringAt(one, "reclaimPolicy"), ["Delete", "Retain"]),
      ...checkEnum("", one, "storage.v1.StorageClass.volumeBindingMode"),
    ];
  },
  checkUpdate: ({ tree: one }, { tree: old }) => [
    ...["parameters", "provisioner", "reclaimPolicy"].flatMap((field) =>
      semanticallyEqual(own(one, field), own(old, field))
        ? []
        : [forbidden(field, `updates to ${field} are forbidden.`)],
    ),
    ...checkUnchanged("volumeBindingMode", own(one, "volumeBindingMode"), own(old, "volumeBindingMode")),
  ],
};

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

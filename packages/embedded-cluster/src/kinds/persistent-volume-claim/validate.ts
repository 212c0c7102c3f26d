/** What a claim asks of storage. */

import { parseQuantity } from "@weir/kube";
import { type FieldError, faults, forbidden, invalid, required } from "../../field-errors.ts";
import { enumField } from "../../schema/enum-fields.ts";
import { nodeAt, stringAt, stringsAt, type Tree, treeAt } from "../../tree.ts";
import {
  below,
  checkChoice,
  checkEnum,
  checkLabelSelector,
  checkOptionalText,
} from "../../validate/checks.ts";
import { dnsSubdomain } from "../../validate/text-rules.ts";

/** The spec of a PersistentVolumeClaim. */
export function checkClaimSpec(path: string, spec: Tree): FieldError[] {
  const modes = stringsAt(spec, "accessModes");
  return faults(
    modes.length === 0 && required(below(path, "accessModes"), "at least 1 access mode is required"),
    checkLabelSelector(below(path, "selector"), treeAt(spec, "selector")),
    checkModes(below(path, "accessModes"), spec),
    checkStorage(below(path, "resources"), treeAt(spec, "resources", "requests")),
    checkOptionalText(below(path, "storageClassName"), stringAt(spec, "storageClassName"), dnsSubdomain),
    checkEnum(path, spec, "core.v1.PersistentVolumeClaimSpec.volumeMode"),
    checkSource(below(path, "dataSource"), treeAt(spec, "dataSource")),
  );
}

/** Access modes that are known; one of them does not go with others. */
export function checkModes(path: string, spec: Tree): FieldError[] {
  const { words } = enumField("core.v1.PersistentVolumeClaimSpec.accessModes");
  const modes = stringsAt(spec, "accessModes");
  const isMixed = modes.includes("ReadWriteOncePod") && new Set(modes).size > 1;
  return faults(
    modes.flatMap((mode) => checkChoice(path, mode, words)),
    isMixed && forbidden(path, "may not use ReadWriteOncePod with other access modes"),
  );
}

function checkStorage(path: string, requests: Tree | undefined): FieldError[] {
  const storage = nodeAt(requests, "storage");
  if (typeof storage !== "string") {
    return [required(`${path}[storage]`)];
  }
  return (parseQuantity(storage) ?? 0n) <= 0n
    ? [invalid(`${path}[storage]`, storage, "must be greater than zero")]
    : [];
}

function checkSource(path: string, source: Tree | undefined): FieldError[] {
  return source === undefined
    ? []
    : ["name", "kind"].flatMap((field) =>
        stringAt(source, field) === "" ? [required(below(path, field))] : [],
      );
}

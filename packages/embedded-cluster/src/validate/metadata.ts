/** What holds for the metadata of every object. */

import { groupOf, versionOf } from "@weir/kube";
import { type FieldError, faults, forbidden, invalid, required, tooLong } from "../field-errors.ts";
import { isTrueAt, nodeAt, numberAt, stringAt, stringMapAt, stringsAt, type Tree, treesAt } from "../tree.ts";
import { checkLabels, checkNonNegative, checkText, checkUnchanged } from "./checks.ts";
import { asPrefix, dnsLabel, qualifiedKey, type TextRule } from "./text-rules.ts";

const maxAnnotations = 256 * 1024;

/** The metadata of a new object. `nameRule` is that of the kind. */
export function checkNewMetadata(object: Tree, namespaced: boolean, nameRule: TextRule): FieldError[] {
  const generateName = stringAt(object, "metadata", "generateName");
  const name = stringAt(object, "metadata", "name");
  return faults(
    generateName === "" || checkText("metadata.generateName", generateName, asPrefix(nameRule)),
    name === ""
      ? required("metadata.name", "name or generateName is required")
      : checkText("metadata.name", name, nameRule),
    checkNamespace(object, namespaced),
    checkNonNegative("metadata.generation", nodeAt(object, "metadata", "generation")),
    checkDescriptions(object),
    checkFinalizers(object),
    checkManagedFields(object),
  );
}

/** The metadata of an object that replaces `old`. */
export function checkChangedMetadata(object: Tree, old: Tree): FieldError[] {
  return [
    ...checkNoNewFinalizers(object, old),
    ...checkVersion(object, old),
    ...immutable.flatMap((field) =>
      checkUnchanged(`metadata.${field}`, nodeAt(object, "metadata", field), nodeAt(old, "metadata", field)),
    ),
    ...checkDescriptions(object),
    ...checkManagedFields(object),
  ];
}

const immutable = [
  "name",
  "namespace",
  "uid",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
] as const;

function checkVersion(object: Tree, old: Tree): FieldError[] {
  const generation = numberAt(object, "metadata", "generation") ?? 0;
  const version = stringAt(object, "metadata", "resourceVersion");
  return faults(
    version === "" && invalid("metadata.resourceVersion", version, "must be specified for an update"),
    generation < (numberAt(old, "metadata", "generation") ?? 0) &&
      invalid("metadata.generation", generation, "must not be decremented"),
  );
}

function checkNamespace(object: Tree, namespaced: boolean): FieldError[] {
  const namespace = stringAt(object, "metadata", "namespace");
  if (!namespaced) {
    return namespace === "" ? [] : [forbidden("metadata.namespace", "not allowed on this type")];
  }
  return namespace === ""
    ? [required("metadata.namespace")]
    : checkText("metadata.namespace", namespace, dnsLabel);
}

/** Labels, annotations and owners. */
function checkDescriptions(object: Tree): FieldError[] {
  return [
    ...checkLabels("metadata.labels", object, "metadata", "labels"),
    ...checkAnnotations(object, "metadata.annotations"),
    ...checkOwners(object),
  ];
}

/** Annotation keys are label keys in any case of letters; all together may be 256 KiB. */
export function checkAnnotations(object: Tree, path: string): FieldError[] {
  let size = 0;
  const errors: FieldError[] = [];
  for (const [key, value] of stringMapAt(object, "metadata", "annotations")) {
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
    errors.push(...qualifiedKey(key.toLowerCase()).map((message) => invalid(path, key, message)));
  }
  return size > maxAnnotations ? [...errors, tooLong(path, maxAnnotations)] : errors;
}

function checkOwners(object: Tree): FieldError[] {
  const owners = treesAt(object, "metadata", "ownerReferences");
  const controllers = owners.filter((owner) => isTrueAt(owner, "controller")).map(nameOwner);
  const [first, second] = controllers;
  return faults(
    owners.flatMap(checkOwner),
    second === undefined ||
      invalid(
        "metadata.ownerReferences",
        owners,
        `Only one reference can have Controller set to true. Found "true" in references for ${first ?? ""} and ${second}`,
      ),
  );
}

function nameOwner(owner: Tree): string {
  return `${stringAt(owner, "kind")}/${stringAt(owner, "name")}`;
}

function checkOwner(owner: Tree): FieldError[] {
  const path = "metadata.ownerReferences";
  const apiVersion = stringAt(owner, "apiVersion");
  const errors: FieldError[] = [];
  if (versionOf(apiVersion) === "") {
    errors.push(invalid(`${path}.apiVersion`, apiVersion, "version must not be empty"));
  }
  for (const field of ["kind", "name", "uid"]) {
    if (stringAt(owner, field) === "") {
      errors.push(invalid(`${path}.${field}`, "", "must not be empty"));
    }
  }
  if (groupOf(apiVersion) === "" && versionOf(apiVersion) === "v1" && stringAt(owner, "kind") === "Event") {
    errors.push(invalid(path, owner, "/v1, Kind=Event is disallowed from being an owner"));
  }
  return errors;
}

function checkFinalizers(object: Tree): FieldError[] {
  const finalizers = stringsAt(object, "metadata", "finalizers");
  const path = "metadata.finalizers";
  const isBoth = finalizers.includes("orphan") && finalizers.includes("foregroundDeletion");
  return faults(
    finalizers.flatMap((finalizer) => checkText(path, finalizer, qualifiedKey)),
    isBoth && invalid(path, finalizers, "finalizer orphan and foregroundDeletion cannot be both set"),
  );
}

const standardFinalizers = ["kubernetes", "orphan", "foregroundDeletion"];

/** The finalizers of built-in kinds are Kubernetes' own, or have a domain. */
export function checkFinalizerNames(object: Tree): FieldError[] {
  const why = "name is neither a standard finalizer name nor is it fully qualified";
  return stringsAt(object, "metadata", "finalizers").flatMap((name, index) =>
    name.includes("/") || standardFinalizers.includes(name)
      ? []
      : [invalid(`metadata.finalizers[${index}]`, name, why)],
  );
}

function checkNoNewFinalizers(object: Tree, old: Tree): FieldError[] {
  const before = stringsAt(old, "metadata", "finalizers");
  const added = stringsAt(object, "metadata", "finalizers").filter((name) => !before.includes(name));
  if (stringAt(old, "metadata", "deletionTimestamp") === "" || added.length === 0) {
    return [];
  }
  const list = [...new Set(added)].sort().map((name) => JSON.stringify(name));
  return [
    forbidden(
      "metadata.finalizers",
      `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list.join(", ")}}`,
    ),
  ];
}

function checkManagedFields(object: Tree): FieldError[] {
  return treesAt(object, "metadata", "managedFields").flatMap((entry, index) => {
    const path = `metadata.managedFields[${index}]`;
    const operation = stringAt(entry, "operation");
    const type = stringAt(entry, "fieldsType");
    return faults(
      operation === "Apply" ||
        operation === "Update" ||
        invalid(`${path}.operation`, operation, "must be `Apply` or `Update`"),
      type === "" || type === "FieldsV1" || invalid(`${path}.fieldsType`, type, "must be `FieldsV1`"),
      checkFieldManager(`${path}.manager`, stringAt(entry, "manager")),
    );
  });
}

const maxFieldManager = 128;

/** The name of a field manager: at most 128 bytes, all printable. */
export function checkFieldManager(path: string, manager: string): FieldError[] {
  const errors: FieldError[] =
    Buffer.byteLength(manager) > maxFieldManager ? [tooLong(path, maxFieldManager)] : [];
  let position = 0;
  for (const character of manager) {
    if (/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u.test(character)) {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
      errors.push(invalid(path, manager, `invalid character U+${code} (at position ${position})`));
    }
    position += Buffer.byteLength(character);
  }
  return errors;
}

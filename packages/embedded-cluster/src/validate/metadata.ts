/** What holds for the metadata of every object. */

import { groupOf, versionOf } from "@weir/kube";
import { type FieldError, faults } from "../field-errors.ts";
import { checkLabels } from "./checks.ts";
import type { Field } from "./field.ts";
import { asPrefix, dnsLabel, qualifiedKey, type TextRule } from "./text-rules.ts";

const maxAnnotations = 256 * 1024;

/** The metadata of a new object. `nameRule` is that of the kind. */
export function checkNewMetadata(metadata: Field, namespaced: boolean, nameRule: TextRule): FieldError[] {
  const prefix = metadata.at("generateName");
  return faults(
    prefix.check(asPrefix(nameRule)),
    metadata.at("name").needs(nameRule, "name or generateName is required"),
    checkNamespace(metadata.at("namespace"), namespaced),
    metadata.at("generation").atLeast(0),
    checkDescriptions(metadata),
    checkFinalizers(metadata.at("finalizers")),
    checkManagedFields(metadata),
  );
}

/** The metadata of an object that replaces another. */
export function checkChangedMetadata(metadata: Field, old: Field): FieldError[] {
  return [
    ...checkNoNewFinalizers(metadata.at("finalizers"), old),
    ...checkVersion(metadata, old),
    ...immutable.flatMap((name) => metadata.at(name).unchanged(old.at(name))),
    ...checkDescriptions(metadata),
    ...checkManagedFields(metadata),
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

function checkVersion(metadata: Field, old: Field): FieldError[] {
  const version = metadata.at("resourceVersion");
  const generation = metadata.at("generation");
  return faults(
    version.text === "" && version.invalid("must be specified for an update", ""),
    generation.number < old.at("generation").number && generation.invalid("must not be decremented"),
  );
}

function checkNamespace(namespace: Field, namespaced: boolean): FieldError[] {
  return namespaced
    ? namespace.needs(dnsLabel)
    : faults(namespace.text === "" || namespace.forbidden("not allowed on this type"));
}

/** Labels, annotations and owners. */
function checkDescriptions(metadata: Field): FieldError[] {
  return [
    ...checkLabels(metadata.at("labels")),
    ...checkAnnotations(metadata.at("annotations")),
    ...checkOwners(metadata.at("ownerReferences")),
  ];
}

/** Annotation keys are label keys in any case of letters; all together may be 256 KiB. */
export function checkAnnotations(annotations: Field): FieldError[] {
  const texts = [...annotations.textMap];
  const size = texts.flat().reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return faults(
    texts.flatMap(([key]) =>
      qualifiedKey(key.toLowerCase()).map((message) => annotations.invalid(message, key)),
    ),
    size > maxAnnotations && annotations.tooLong(maxAnnotations),
  );
}

function checkOwners(owners: Field): FieldError[] {
  const controllers = owners.items.filter((owner) => owner.at("controller").isTrue).map(nameOwner);
  const [first, second] = controllers;
  return faults(
    owners.each((owner) => checkOwner(owner.shownAs(owners.path))),
    second === undefined ||
      owners.invalid(
        `Only one reference can have Controller set to true. Found "true" in references for ${first ?? ""} and ${second}`,
      ),
  );
}

function nameOwner(owner: Field): string {
  return `${owner.at("kind").text}/${owner.at("name").text}`;
}

function checkOwner(owner: Field): FieldError[] {
  const apiVersion = owner.at("apiVersion");
  const version = versionOf(apiVersion.text);
  const isEvent = groupOf(apiVersion.text) === "" && version === "v1" && owner.at("kind").text === "Event";
  return faults(
    version === "" && apiVersion.invalid("version must not be empty"),
    owner.all(
      ["kind", "name", "uid"],
      (field) => field.text === "" && field.invalid("must not be empty", ""),
    ),
    isEvent && owner.invalid("/v1, Kind=Event is disallowed from being an owner"),
  );
}

function checkFinalizers(finalizers: Field): FieldError[] {
  const names = finalizers.texts;
  const isBoth = names.includes("orphan") && names.includes("foregroundDeletion");
  return faults(
    finalizers.each((name) => name.shownAs(finalizers.path).follows(qualifiedKey)),
    isBoth && finalizers.invalid("finalizer orphan and foregroundDeletion cannot be both set"),
  );
}

const standardFinalizers = ["kubernetes", "orphan", "foregroundDeletion"];

/** The finalizers of built-in kinds are Kubernetes' own, or have a domain. */
export function checkFinalizerNames(metadata: Field): FieldError[] {
  const why = "name is neither a standard finalizer name nor is it fully qualified";
  return metadata
    .at("finalizers")
    .each((name) => name.text.includes("/") || standardFinalizers.includes(name.text) || name.invalid(why));
}

function checkNoNewFinalizers(finalizers: Field, old: Field): FieldError[] {
  const before = old.at("finalizers").texts;
  const added = finalizers.texts.filter((name) => !before.includes(name));
  if (!old.at("deletionTimestamp").isSet || added.length === 0) {
    return [];
  }
  const list = [...new Set(added)].sort().map((name) => JSON.stringify(name));
  return [
    finalizers.forbidden(
      `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list.join(", ")}}`,
    ),
  ];
}

function checkManagedFields(metadata: Field): FieldError[] {
  return metadata.at("managedFields").each((entry) => {
    const [operation, type] = [entry.at("operation"), entry.at("fieldsType")];
    return faults(
      ["Apply", "Update"].includes(operation.text) || operation.invalid("must be `Apply` or `Update`"),
      ["", "FieldsV1"].includes(type.text) || type.invalid("must be `FieldsV1`"),
      checkFieldManager(entry.at("manager")),
    );
  });
}

const maxFieldManager = 128;

/** The name of a field manager: at most 128 bytes, all printable. */
export function checkFieldManager(manager: Field): FieldError[] {
  const errors: FieldError[] =
    Buffer.byteLength(manager.text) > maxFieldManager ? [manager.tooLong(maxFieldManager)] : [];
  let position = 0;
  for (const character of manager.text) {
    if (/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u.test(character)) {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
      errors.push(manager.invalid(`invalid character U+${code} (at position ${position})`));
    }
    position += Buffer.byteLength(character);
  }
  return errors;
}

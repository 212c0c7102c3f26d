/** Environment variables of containers. */

import { type FieldError, faults, invalid, required } from "../../../field-errors.ts";
import { stringAt, type Tree, treeAt, treesAt } from "../../../tree.ts";
import { asPrefix, configKey, dnsSubdomain, envName } from "../../../validate/text-rules.ts";
import {
  below,
  checkChoice,
  checkEach,
  checkOptionalText,
  checkRequiredText,
  checkText,
  fieldsSet,
} from "../../../validate/tree-checks.ts";

const sources = ["fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef"];

const fieldPaths = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];

/** Variables one by one. */
export function checkEnv(path: string, container: Tree): FieldError[] {
  return checkEach(path, treesAt(container, "env"), (at, variable) => [
    ...checkRequiredText(below(at, "name"), stringAt(variable, "name"), envName),
    ...checkSource(below(at, "valueFrom"), variable),
  ]);
}

/** Variables that come all from one object. */
export function checkEnvFrom(path: string, container: Tree): FieldError[] {
  return checkEach(path, treesAt(container, "envFrom"), (at, source) => {
    const set = fieldsSet(source, ["configMapRef", "secretRef"]);
    return faults(
      checkOptionalText(below(at, "prefix"), stringAt(source, "prefix"), envName),
      set.flatMap((field) =>
        checkRequiredText(
          below(below(at, field), "name"),
          stringAt(source, field, "name"),
          asPrefix(dnsSubdomain),
        ),
      ),
      set.length === 0 && invalid(path, "", "must specify one of: `configMapRef` or `secretRef`"),
      set.length > 1 && invalid(path, "", "may not have more than one field specified at a time"),
    );
  });
}

function checkSource(path: string, variable: Tree): FieldError[] {
  const from = treeAt(variable, "valueFrom");
  if (from === undefined) {
    return [];
  }
  const set = fieldsSet(from, sources);
  return [
    ...checkFieldRef(below(path, "fieldRef"), treeAt(from, "fieldRef")),
    ...checkRequiredResource(below(path, "resourceFieldRef"), treeAt(from, "resourceFieldRef")),
    ...checkKeyRef(below(path, "configMapKeyRef"), treeAt(from, "configMapKeyRef")),
    ...checkKeyRef(below(path, "secretKeyRef"), treeAt(from, "secretKeyRef")),
    ...checkCount(path, set.length, stringAt(variable, "value")),
  ];
}

function checkCount(path: string, count: number, value: string): FieldError[] {
  if (count === 0) {
    const one = "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`";
    return [invalid(path, "", one)];
  }
  if (value !== "") {
    return [invalid(path, "", "may not be specified when `value` is not empty")];
  }
  return count > 1 ? [invalid(path, "", "may not have more than one field specified at a time")] : [];
}

/** A field of the pod by its path. */
export function checkFieldRef(path: string, ref: Tree | undefined): FieldError[] {
  const fieldPath = stringAt(ref, "fieldPath");
  if (ref === undefined) {
    return [];
  }
  if (fieldPath === "") {
    return [required(below(path, "fieldPath"))];
  }
  const [, subscripted] = /^(.*)\['(.*)'\]$/.exec(fieldPath) ?? [];
  if (subscripted !== undefined) {
    return subscripted === "metadata.labels" || subscripted === "metadata.annotations"
      ? []
      : [invalid(path, subscripted, "does not support subscript")];
  }
  const isLabel = ["metadata.labels", "metadata.annotations"].includes(fieldPath);
  return isLabel || fieldPaths.includes(fieldPath)
    ? isLabel
      ? checkChoice(below(path, "fieldPath"), fieldPath, fieldPaths)
      : []
    : [
        invalid(
          below(path, "fieldPath"),
          fieldPath,
          `error converting fieldPath: field label not supported: ${fieldPath}`,
        ),
      ];
}

function checkRequiredResource(path: string, ref: Tree | undefined): FieldError[] {
  if (ref === undefined) {
    return [];
  }
  const resource = stringAt(ref, "resource");
  const known = [
    "limits.cpu",
    "limits.ephemeral-storage",
    "limits.memory",
    "requests.cpu",
    "requests.ephemeral-storage",
    "requests.memory",
  ];
  if (resource === "") {
    return [required(below(path, "resource"))];
  }
  return /^(limits|requests)\.hugepages-/.test(resource)
    ? []
    : checkChoice(below(path, "resource"), resource, known);
}

function checkKeyRef(path: string, ref: Tree | undefined): FieldError[] {
  return ref === undefined
    ? []
    : [
        ...checkText(below(path, "name"), stringAt(ref, "name"), dnsSubdomain),
        ...checkRequiredText(below(path, "key"), stringAt(ref, "key"), configKey),
      ];
}

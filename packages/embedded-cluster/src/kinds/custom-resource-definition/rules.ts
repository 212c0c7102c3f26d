/** The rules of CustomResourceDefinitions. */

import { isJsonObject } from "@weir/base";
import { type Condition, setConditions } from "../../conditions.ts";
import { parseJsonPath } from "../../custom-resources/json-path.ts";
import { type FieldError, faults, invalid, notSupported, required } from "../../field-errors.ts";
import { changesOf, type KindRules } from "../../resources/kind-rules.ts";
import {
  copyField,
  ensureTree,
  equalNodes,
  isTree,
  isTrueAt,
  nodeAt,
  stringAt,
  stringsAt,
  type Tree,
  treeAt,
  treesAt,
} from "../../tree.ts";
import { dns1035Label, dnsSubdomain } from "../../validate/text-rules.ts";
import { below, checkEach, checkUnchanged } from "../../validate/tree-checks.ts";
import { isEstablished } from "./definition-names.ts";
import { checkSchema } from "./validate-schema.ts";

/** The rules of CustomResourceDefinitions. */
export const definitionRules: KindRules = {
  generation: changesOf("spec"),
  unconditionalUpdate: false,
  prepareCreate: (definition) => {
    definition["status"] = {
      conditions: null,
      acceptedNames: { plural: "", kind: "" },
      storedVersions: storageVersions(definition),
    };
  },
  prepareUpdate: (definition, old) => {
    copyField(old, definition, "status");
    const status = ensureTree(definition, "status");
    const stored = stringsAt(status, "storedVersions");
    status["storedVersions"] = [...new Set([...stored, ...storageVersions(definition)])];
  },
  lingers: (definition) =>
    stringAt(definition, "metadata", "deletionTimestamp") === "" ||
    stringsAt(definition, "metadata", "finalizers").includes(cleanupFinalizer),
  markDeleted: (definition) => {
    const metadata = ensureTree(definition, "metadata");
    const own = stringsAt(metadata, "finalizers").filter((name) => name !== cleanupFinalizer);
    metadata["finalizers"] = [...own, cleanupFinalizer];
    setConditions(ensureTree(definition, "status"), stringAt(metadata, "deletionTimestamp"), [pending]);
  },
  check: ({ tree: definition }) => [...checkName(definition), ...checkDefinition(definition)],
  checkWholeUpdate: ({ tree: definition }, { tree: old }) => {
    const same = (...path: readonly string[]): FieldError[] =>
      checkUnchanged(
        ["spec", ...path].join("."),
        nodeAt(definition, "spec", ...path),
        nodeAt(old, "spec", ...path),
      );
    return faults(
      isEstablished(old) && faults(same("scope"), same("names", "kind")),
      same("group"),
      same("names", "plural"),
      checkDefinition(definition),
    );
  },
};

/** Held by every definition that is to go, until its objects are gone. */
export const cleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

const pending: Condition = {
  type: "Terminating",
  status: "True",
  reason: "InstanceDeletionPending",
  message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
};

function storageVersions(definition: Tree): string[] {
  return treesAt(definition, "spec", "versions")
    .filter((version) => isTrueAt(version, "storage"))
    .slice(0, 1)
    .map((version) => stringAt(version, "name"));
}

function checkName(definition: Tree): FieldError[] {
  const spec = treeAt(definition, "spec") ?? {};
  const name = stringAt(definition, "metadata", "name");
  const wanted = `${stringAt(spec, "names", "plural")}.${stringAt(spec, "group")}`;
  return name === wanted ? [] : [invalid("metadata.name", name, 'must be spec.names.plural+"."+spec.group')];
}

function checkDefinition(definition: Tree): FieldError[] {
  const spec = treeAt(definition, "spec") ?? {};
  return faults(
    checkGroup(stringAt(spec, "group")),
    checkScope(stringAt(spec, "scope")),
    checkSchemas(spec),
    checkDefaultsAllowed(spec),
    checkVersions(spec),
    checkNames(treeAt(spec, "names") ?? {}),
    checkShared(treesAt(spec, "versions")),
    checkStored(definition, spec),
    checkApproval(definition, stringAt(spec, "group")),
    isTrueAt(spec, "preserveUnknownFields") &&
      invalid(
        "spec.preserveUnknownFields",
        true,
        "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
      ),
  );
}

function checkGroup(group: string): FieldError[] {
  if (group === "") {
    return [required("spec.group")];
  }
  const found = dnsSubdomain(group);
  if (found.length > 0) {
    return [invalid("spec.group", group, found.join(","))];
  }
  return group.includes(".")
    ? []
    : [invalid("spec.group", group, "should be a domain with at least one dot")];
}

function checkScope(scope: string): FieldError[] {
  const known = ["Cluster", "Namespaced"];
  if (scope === "") {
    return [required("spec.scope")];
  }
  return known.includes(scope) ? [] : [notSupported("spec.scope", scope, known)];
}

function checkSchemas(spec: Tree): FieldError[] {
  return checkEach("spec.versions", treesAt(spec, "versions"), (path, version) =>
    treeAt(version, "schema", "openAPIV3Schema") === undefined
      ? [required(`${path}.schema.openAPIV3Schema`)]
      : [],
  );
}

/** Where all unknown fields are kept, no field can be missing. */
function checkDefaultsAllowed(spec: Tree): FieldError[] {
  const hasDefaults = treesAt(spec, "versions").some((version) => holdsDefault(treeAt(version, "schema")));
  return isTrueAt(spec, "preserveUnknownFields") && hasDefaults
    ? [invalid("spec.preserveUnknownFields", true, "must be false in order to use defaults in the schema")]
    : [];
}

function holdsDefault(schema: Tree[string]): boolean {
  return isTree(schema)
    ? schema["default"] !== undefined || Object.values(schema).some(holdsDefault)
    : Array.isArray(schema) && schema.some(holdsDefault);
}

function checkVersions(spec: Tree): FieldError[] {
  const versions = treesAt(spec, "versions");
  const names = versions.map((version) => stringAt(version, "name"));
  const stored = versions.filter((version) => isTrueAt(version, "storage"));
  const first = names[0] ?? "";
  return faults(
    checkEach("spec.versions", versions, (path, version) => checkVersion(path, version, versions)),
    new Set(names).size < names.length &&
      invalid("spec.versions", versions, "must contain unique version names"),
    stored.length === 1 ||
      invalid("spec.versions", versions, "must have exactly one version marked as storage version"),
    // The first version has a field of its own in the form of definitions that the API server judges.
    first === "" || checkLabel("spec.version", first),
  );
}

function checkLabel(path: string, name: string): FieldError[] {
  const found = dns1035Label(name);
  return found.length === 0 ? [] : [invalid(path, name, found.join(","))];
}

/** What versions may have in common; then it is judged once, where the API server keeps it. */
const shareable = {
  schema: { at: "spec.validation", check: checkSchemaIn },
  subresources: { at: "spec.subresources", check: checkSubresources },
  additionalPrinterColumns: { at: "spec.additionalPrinterColumns", check: checkColumns },
} as const;

function isShared(field: string, versions: readonly Tree[]): boolean {
  const [first, ...others] = versions;
  return (
    first?.[field] !== undefined &&
    others.every((other) => equalNodes(other[field] ?? null, first[field] ?? null))
  );
}

function checkShared(versions: readonly Tree[]): FieldError[] {
  return Object.entries(shareable).flatMap(([field, { at, check }]) =>
    isShared(field, versions) ? check(at, versions[0]?.[field]) : [],
  );
}

function checkVersion(path: string, version: Tree, all: readonly Tree[]): FieldError[] {
  return [
    ...checkLabel(below(path, "name"), stringAt(version, "name")),
    ...Object.entries(shareable).flatMap(([field, { check }]) =>
      isShared(field, all) ? [] : check(below(path, field), version[field]),
    ),
  ];
}

function checkSchemaIn(path: string, holder: Tree[string]): FieldError[] {
  const schema = nodeAt(holder, "openAPIV3Schema");
  return isJsonObject(schema) ? checkSchema(`${path}.openAPIV3Schema`, schema) : [];
}

function checkSubresources(path: string, subresources: Tree[string]): FieldError[] {
  return checkScale(`${path}.scale`, treeAt(subresources, "scale"));
}

function checkColumns(path: string, columns: Tree[string]): FieldError[] {
  return checkEach(path, treesAt(columns), checkColumn);
}

function checkScale(path: string, scale: Tree | undefined): FieldError[] {
  const check = (field: string, root: string): FieldError[] => {
    const at = below(path, field);
    const text = stringAt(scale, field);
    if (text === "") {
      return [required(at)];
    }
    return text.startsWith(`.${root}.`) ? [] : [invalid(at, text, `should be a json path under .${root}`)];
  };
  return scale === undefined
    ? []
    : [...check("specReplicasPath", "spec"), ...check("statusReplicasPath", "status")];
}

const columnTypes = ["boolean", "date", "integer", "number", "string"];

function checkColumn(path: string, column: Tree): FieldError[] {
  const type = stringAt(column, "type");
  const jsonPath = stringAt(column, "jsonPath");
  const why = `must be one of ${columnTypes.join(",")}`;
  return faults(
    stringAt(column, "name") === "" && required(below(path, "name")),
    type === ""
      ? required(below(path, "type"), why)
      : columnTypes.includes(type) || invalid(below(path, "type"), type, why),
    jsonPath === "" && required(below(path, "JSONPath")),
    (!/^[.[$@{]/.test(jsonPath) || parseJsonPath(jsonPath) === undefined) &&
      invalid(below(path, "JSONPath"), jsonPath, "is an invalid path"),
  );
}

function checkNames(names: Tree): FieldError[] {
  const path = "spec.names";
  const missing = ["plural", "singular", "kind", "listKind"].filter((field) => stringAt(names, field) === "");
  const kind = stringAt(names, "kind");
  const label = (field: string, value: string, prefix = ""): FieldError[] => {
    const found = dns1035Label(prefix === "" ? value : value.toLowerCase());
    return value === "" || found.length === 0
      ? []
      : [invalid(below(path, field), value, prefix + found.join(","))];
  };
  const mixed = "may have mixed case, but should otherwise match: ";
  return faults(
    missing.map((field) => required(below(path, field))),
    label("plural", stringAt(names, "plural")),
    label("singular", stringAt(names, "singular")),
    label("kind", kind, mixed),
    label("listKind", stringAt(names, "listKind"), mixed),
    stringsAt(names, "shortNames").flatMap((name, index) => label(`shortNames[${index}]`, name)),
    kind !== "" &&
      kind === stringAt(names, "listKind") &&
      invalid(below(path, "listKind"), kind, "kind and listKind may not be the same"),
    stringsAt(names, "categories").flatMap((name, index) => label(`categories[${index}]`, name)),
  );
}

/** Versions in which objects may still be kept must stay. */
function checkStored(definition: Tree, spec: Tree): FieldError[] {
  const names = treesAt(spec, "versions").map((version) => stringAt(version, "name"));
  const stored = stringsAt(definition, "status", "storedVersions");
  if (stored.length === 0) {
    return [invalid("status.storedVersions", null, "must have at least one stored version")];
  }
  return stored.flatMap((name, index) =>
    names.includes(name)
      ? []
      : [
          invalid(
            `status.storedVersions[${index}]`,
            name,
            `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`,
          ),
        ],
  );
}

const approvalNote = "api-approved.kubernetes.io";

/** Groups of Kubernetes itself are not for everybody. */
function checkApproval(definition: Tree, group: string): FieldError[] {
  const isProtected = /(^|\.)(k8s|kubernetes)\.io$/.test(group);
  const approval = stringAt(definition, "metadata", "annotations", approvalNote);
  const path = `metadata.annotations[${approvalNote}]`;
  if (!isProtected || approval.startsWith("unapproved")) {
    return [];
  }
  if (approval === "") {
    return [
      required(
        path,
        `protected groups must have approval annotation "${approvalNote}", see https://github.com/kubernetes/enhancements/pull/1111`,
      ),
    ];
  }
  return URL.canParse(approval)
    ? []
    : [
        invalid(
          path,
          approval,
          `protected groups must have approval annotation "${approvalNote}" with either a URL or a reason starting with "unapproved", see https://github.com/kubernetes/enhancements/pull/1111`,
        ),
      ];
}

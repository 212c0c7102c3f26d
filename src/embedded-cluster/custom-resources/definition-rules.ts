/** The rules of CustomResourceDefinitions. */
import { isJsonObject } from "../../base/json.ts";
import { type FieldError, invalid, notSupported, required } from "../field-errors.ts";
import { changesOf, type KindRules } from "../resources/kind-rules.ts";
import {
  copyField,
  ensureTree,
  isTrueAt,
  nodeAt,
  stringAt,
  stringsAt,
  type Tree,
  treeAt,
  treesAt,
} from "../tree.ts";
import { below, checkEach, checkUnchanged } from "../validate/checks.ts";
import { dns1035Label, dnsSubdomain } from "../validate/text-rules.ts";
import { isEstablished } from "./definition-names.ts";
import { checkSchema } from "./definition-schema.ts";
import { parseJsonPath } from "./json-path.ts";

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
  check: checkDefinition,
  checkUpdate: (definition, old) => {
    const same = (...path: readonly string[]): FieldError[] =>
      checkUnchanged(
        ["spec", ...path].join("."),
        nodeAt(definition, "spec", ...path),
        nodeAt(old, "spec", ...path),
      );
    return [
      ...(isEstablished(old) ? [...same("scope"), ...same("names", "kind")] : []),
      ...same("group"),
      ...same("names", "plural"),
    ];
  },
};

function storageVersions(definition: Tree): string[] {
  return treesAt(definition, "spec", "versions")
    .filter((version) => isTrueAt(version, "storage"))
    .slice(0, 1)
    .map((version) => stringAt(version, "name"));
}

function checkDefinition(definition: Tree): FieldError[] {
  const spec = treeAt(definition, "spec") ?? {};
  const name = stringAt(definition, "metadata", "name");
  const wanted = `${stringAt(spec, "names", "plural")}.${stringAt(spec, "group")}`;
  return [
    ...(name === wanted ? [] : [invalid("metadata.name", name, 'must be spec.names.plural+"."+spec.group')]),
    ...checkGroup(stringAt(spec, "group")),
    ...checkScope(stringAt(spec, "scope")),
    ...checkSchemas(spec),
    ...checkVersions(spec),
    ...checkNames(treeAt(spec, "names") ?? {}),
    ...checkStored(definition, spec),
    ...checkApproval(definition, stringAt(spec, "group")),
    ...(isTrueAt(spec, "preserveUnknownFields")
      ? [
          invalid(
            "spec.preserveUnknownFields",
            true,
            "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
          ),
        ]
      : []),
  ];
}

function checkGroup(group: string): FieldError[] {
  if (group === "") {
    return [required("spec.group")];
  }
  const faults = dnsSubdomain(group);
  if (faults.length > 0) {
    return [invalid("spec.group", group, faults.join(","))];
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

function checkVersions(spec: Tree): FieldError[] {
  const versions = treesAt(spec, "versions");
  const names = versions.map((version) => stringAt(version, "name"));
  const stored = versions.filter((version) => isTrueAt(version, "storage"));
  return [
    ...checkEach("spec.versions", versions, checkVersion),
    ...(new Set(names).size < names.length
      ? [invalid("spec.versions", versions, "must contain unique version names")]
      : []),
    ...(stored.length === 1
      ? []
      : [invalid("spec.versions", versions, "must have exactly one version marked as storage version")]),
  ];
}

function checkVersion(path: string, version: Tree): FieldError[] {
  const name = stringAt(version, "name");
  const faults = dns1035Label(name);
  const schema = nodeAt(version, "schema", "openAPIV3Schema");
  return [
    ...(faults.length === 0 ? [] : [invalid(below(path, "name"), name, faults.join(","))]),
    ...(isJsonObject(schema) ? checkSchema(`${path}.schema.openAPIV3Schema`, schema) : []),
    ...checkScale(`${path}.subresources.scale`, treeAt(version, "subresources", "scale")),
    ...checkEach(
      below(path, "additionalPrinterColumns"),
      treesAt(version, "additionalPrinterColumns"),
      checkColumn,
    ),
  ];
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
  return [
    ...(stringAt(column, "name") === "" ? [required(below(path, "name"))] : []),
    ...(type === ""
      ? [required(below(path, "type"), why)]
      : columnTypes.includes(type)
        ? []
        : [invalid(below(path, "type"), type, why)]),
    ...(jsonPath === "" ? [required(below(path, "JSONPath"))] : []),
    ...(parseJsonPath(jsonPath) === undefined
      ? [invalid(below(path, "JSONPath"), jsonPath, "is an invalid path")]
      : []),
  ];
}

function checkNames(names: Tree): FieldError[] {
  const path = "spec.names";
  const missing = ["plural", "singular", "kind", "listKind"].filter((field) => stringAt(names, field) === "");
  const kind = stringAt(names, "kind");
  const label = (field: string, value: string, prefix = ""): FieldError[] => {
    const faults = dns1035Label(prefix === "" ? value : value.toLowerCase());
    return value === "" || faults.length === 0
      ? []
      : [invalid(below(path, field), value, prefix + faults.join(","))];
  };
  const mixed = "may have mixed case, but should otherwise match: ";
  return [
    ...missing.map((field) => required(below(path, field))),
    ...label("plural", stringAt(names, "plural")),
    ...label("singular", stringAt(names, "singular")),
    ...label("kind", kind, mixed),
    ...label("listKind", stringAt(names, "listKind"), mixed),
    ...stringsAt(names, "shortNames").flatMap((name, index) => label(`shortNames[${index}]`, name)),
    ...(kind !== "" && kind === stringAt(names, "listKind")
      ? [invalid(below(path, "listKind"), kind, "kind and listKind may not be the same")]
      : []),
    ...stringsAt(names, "categories").flatMap((name, index) => label(`categories[${index}]`, name)),
  ];
}

/** Versions in which objects may still be kept must stay. */
function checkStored(definition: Tree, spec: Tree): FieldError[] {
  const names = treesAt(spec, "versions").map((version) => stringAt(version, "name"));
  return stringsAt(definition, "status", "storedVersions").flatMap((name, index) =>
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

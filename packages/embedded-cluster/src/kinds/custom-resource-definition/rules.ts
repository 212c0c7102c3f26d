import { type Condition, setConditions } from "../../conditions.ts";
import { changesOf, type KindRules } from "../../resources/kind-rules.ts";
import { copyField, ensureTree, isTrueAt, stringAt, stringsAt, type Tree, treesAt } from "../../tree.ts";
import { isEstablished } from "./definition-names.ts";
import { checkDefinition, checkName } from "./validate.ts";

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
  check: (definition) => [...checkName(definition), ...checkDefinition(definition)],
  checkWholeUpdate: (definition, old) => {
    const fixed = ["spec.group", "spec.names.plural"];
    const fixedOnceServed = ["spec.scope", "spec.names.kind"];
    return [
      ...[...(isEstablished(old.tree) ? fixedOnceServed : []), ...fixed].flatMap((name) =>
        definition.at(name).unchanged(old.at(name)),
      ),
      ...checkDefinition(definition),
    ];
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

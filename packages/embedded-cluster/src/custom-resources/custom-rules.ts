import { isJsonObject, type JsonObject } from "@weir/base";
import { type FieldError, invalid } from "../field-errors.ts";
import type { KindRules } from "../resources/kind-rules.ts";
import type { ScalePaths } from "../resources/scale.ts";
import { isTree, nodeAt, semanticallyEqual, stringsAt, type Tree, type TreeNode } from "../tree.ts";
import { qualifiedKey } from "../validate/text-rules.ts";
import { checkLists } from "./check-lists.ts";
import { checkValue } from "./check-value.ts";
import { parseJsonPath } from "./json-path.ts";
import { propertyOf } from "./schema-walk.ts";

/** What the rules of a custom resource depend on. */
export interface CustomKindFacts {
  readonly schema: JsonObject;
  readonly hasStatus: boolean;
  readonly scale: ScalePaths | undefined;
  /** JSON paths of fields by which objects may be selected. */
  readonly selectableFields: readonly string[];
}

/** The rules of custom resources of a version. */
export function customRules({ schema, hasStatus, scale, selectableFields }: CustomKindFacts): KindRules {
  const check = (object: Tree): FieldError[] => [
    ...checkValue(schema, withoutMetadata(object), ""),
    ...(scale === undefined ? [] : checkScale(object, scale)),
    ...checkLists(schema, object, ""),
  ];
  return {
    unconditionalUpdate: false,
    generation: (object, old) => !semanticallyEqual(counted(object, hasStatus), counted(old, hasStatus)),
    statusKeeps: [["metadata"]],
    check: ({ tree }) => check(tree),
    checkWholeUpdate: ({ tree: object }, { tree: old }) =>
      check(object).filter((error) => !isUnchanged(error.field, object, old)),
    checkStatus: ({ tree: object }, { tree: old }) => {
      const status = propertyOf(schema, "status");
      const value = nodeAt(object, "status");
      const errors = status === undefined || value === undefined ? [] : checkValue(status, value, "status");
      return errors.filter((error) => !isUnchanged(error.field, object, old));
    },
    warnings: warnOfFinalizers,
    ...(selectableFields.length === 0 ? {} : { selectableFields: fieldsBy(selectableFields) }),
  };
}

/** The schema may only speak of name and generateName; metadata as a whole is checked like any other. */
function withoutMetadata(object: Tree): Tree {
  return { ...object, metadata: {} };
}

/** What was wrong before may stay wrong: schemas get stricter while objects live. */
function isUnchanged(path: string, object: Tree, old: Tree): boolean {
  const steps = path.split(/[.[\]]+/).filter((step) => step !== "");
  const at = (root: Tree): TreeNode | undefined =>
    steps.reduce<TreeNode | undefined>(
      (node, step) => (Array.isArray(node) ? node[Number(step)] : nodeAt(node, step)),
      root,
    );
  const [now, before] = [at(object), at(old)];
  return path !== "<nil>" && before !== undefined && semanticallyEqual(now, before);
}

function counted(object: Tree, hasStatus: boolean): Tree {
  const ignored = hasStatus ? ["metadata", "status"] : ["metadata"];
  return Object.fromEntries(Object.entries(object).filter(([field]) => !ignored.includes(field)));
}

function checkScale(object: Tree, { specReplicas, statusReplicas }: ScalePaths): FieldError[] {
  return [specReplicas, statusReplicas].flatMap((path) => {
    const count = nodeAt(object, ...path);
    return typeof count === "number" && count < 0
      ? [invalid(`.${path.join(".")}`, count, "should be a non-negative integer")]
      : [];
  });
}

function fieldsBy(paths: readonly string[]): (object: Tree) => Readonly<Record<string, string>> {
  const parsed = paths.map((path) => [path.replace(/^\./, ""), parseJsonPath(path)] as const);
  return (object) =>
    Object.fromEntries(
      parsed.map(([name, path]) => {
        const [first] = path?.(object) ?? [];
        return [name, first === undefined || isTree(first) || Array.isArray(first) ? "" : String(first)];
      }),
    );
}

const standardFinalizers = ["orphan", "foregroundDeletion", "kubernetes"];

/** Finalizers that may be taken for someone else's. */
function warnOfFinalizers(object: Tree, old: Tree | undefined): readonly string[] {
  const before = stringsAt(old, "metadata", "finalizers");
  const added = [...new Set(stringsAt(object, "metadata", "finalizers"))].filter(
    (name) => !before.includes(name),
  );
  return added.sort().flatMap((name) => {
    const quoted = `metadata.finalizers: ${JSON.stringify(name)}`;
    const path = name.includes(".") ? " including a path (/)" : "";
    const why = `prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`;
    const isPlain = !name.includes("/") && !standardFinalizers.includes(name);
    return [
      ...qualifiedKey(name).map((message) => `${quoted}: ${message}`),
      ...(isPlain ? [`${quoted}: ${why}`] : []),
    ];
  });
}

/** The schema of a version; of one that says nothing, an object that keeps all. */
export function schemaOf(version: JsonObject): JsonObject {
  const holder = version["schema"];
  const schema = isJsonObject(holder) ? holder["openAPIV3Schema"] : undefined;
  return isJsonObject(schema) ? schema : { type: "object", "x-kubernetes-preserve-unknown-fields": true };
}

/** What the API server does with the objects of a kind beyond what their types say. */
import type { FieldError } from "../field-errors.ts";
import type { AddressPool } from "../kinds/service/service-addresses.ts";
import { type StoredObject, treeOf } from "../storage/stored-object.ts";
import { nodeAt, semanticallyEqual, stringAt, type Tree } from "../tree.ts";
import type { Field } from "../validate/field.ts";
import type { TextRule } from "../validate/text-rules.ts";

/** The cluster as rules see it: they read other objects, and draw what must be unique. */
export interface ClusterView {
  /** The object of that bucket, or undefined. */
  read(bucket: string, namespace: string, name: string): Tree | undefined;
  /** All objects of a bucket, e.g. "services". */
  all(bucket: string): readonly StoredObject[];
  /** What services may be given. */
  readonly addresses: AddressPool;
}

/** What a rule may know of the request. */
export interface RuleContext {
  readonly cluster: ClusterView;
  /** The time of the request, as objects write it. */
  readonly now: string;
}

/**
 * The rules of a kind, all optional. Preparing and admitting change the object in place; checking does not.
 * They run in this order: admit, prepare, check.
 */
export interface KindRules {
  /** What names must look like; a DNS subdomain where it is absent. */
  readonly nameRule?: TextRule;
  /** True where an update makes a new generation; absent for kinds that count none. */
  readonly generation?: (object: Tree, old: Tree) => boolean;
  /** What admission plugins do or refuse; `old` is undefined for a new object. Throws KubeApiError. */
  readonly admit?: (object: Tree, old: Tree | undefined, context: RuleContext) => void;
  readonly prepareCreate?: (object: Tree, context: RuleContext) => void;
  readonly prepareUpdate?: (object: Tree, old: Tree, context: RuleContext) => void;
  readonly prepareStatus?: (object: Tree, old: Tree, context: RuleContext) => void;
  readonly check?: (object: Field, context: RuleContext) => readonly FieldError[];
  /** What an update must not do, beside what `check` says of the new object. */
  readonly checkUpdate?: (object: Field, old: Field, context: RuleContext) => readonly FieldError[];
  /** Replaces check and checkUpdate for kinds that judge updates in their own way. */
  readonly checkWholeUpdate?: (object: Field, old: Field, context: RuleContext) => readonly FieldError[];
  readonly checkStatus?: (object: Field, old: Field, context: RuleContext) => readonly FieldError[];
  /** What the client should know of an object that is accepted; `old` is undefined for a new one. */
  readonly warnings?: (object: Tree, old: Tree | undefined) => readonly string[];
  /** False where an update must name the resource version it was made from. */
  readonly unconditionalUpdate?: boolean;
  /** True where PUT makes an object that is not there. */
  readonly createOnUpdate?: boolean;
  /** What becomes of dependents where a deletion does not say; "background" where it is absent. */
  readonly dependents?: "background" | "orphan" | "unsupported";
  /** True where DELETE answers the object rather than a Status. */
  readonly returnsDeleted?: boolean;
  /** The seconds that a deletion may take; undefined where the object goes at once. */
  readonly gracePeriod?: (object: Tree, asked: number | undefined) => number | undefined;
  /** True while an object that is to go waits for more than its finalizers: namespaces, for their content. */
  readonly lingers?: (object: Tree) => boolean;
  /** What a deletion changes in an object that lingers, beside its deletion timestamp. */
  readonly markDeleted?: (object: Tree) => void;
  /** The fields by which field selectors select, beside metadata.name and metadata.namespace. */
  readonly selectableFields?: (object: Tree) => Readonly<Record<string, string>>;
  /** Status fields that the main resource may set. */
  readonly ownsStatus?: boolean;
  /** Fields that the status subresource leaves alone, beside spec. */
  readonly statusKeeps?: readonly (readonly string[])[];
}

/** The name of the object of a bucket that bears an annotation which marks it as the default; undefined for none. */
export function defaultOf({ cluster }: RuleContext, bucket: string, mark: string): string | undefined {
  const found = cluster
    .all(bucket)
    .map((stored) => treeOf(stored))
    .find((one) => stringAt(one, "metadata", "annotations", mark) === "true");
  return found === undefined ? undefined : stringAt(found, "metadata", "name");
}

/** A new generation for a change in one of these fields, each a path with dots. */
export function changesOf(...fields: readonly string[]): (object: Tree, old: Tree) => boolean {
  const paths = fields.map((field) => field.split("."));
  return (object, old) =>
    paths.some((path) => !semanticallyEqual(nodeAt(object, ...path), nodeAt(old, ...path)));
}

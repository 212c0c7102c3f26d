import type { JsonObject } from "@weir/base";
import type { GroupVersionKind } from "@weir/kube";
import type { PatchSchema } from "@weir/kube/patch";
import type { Atom } from "../managed-fields/merge-schema.ts";
import type { TypedVersions } from "../managed-fields/ownership.ts";
import type { Decoded } from "../schema/decode.ts";
import type { GroupResource } from "../status-errors.ts";
import type { TableColumns } from "../tables/table.ts";
import type { Tree } from "../tree.ts";
import type { KindRules } from "./kind-rules.ts";
import type { ScalePaths } from "./scale.ts";

/** How objects of a kind and version are read, and what patches need to know of them. */
export interface ObjectCodec {
  /** The object with the fields of its type only, in the form in which it is kept. Throws DecodeError. */
  decode(object: Tree): Decoded;
  /** Fills in what an object of this version leaves open; changes it in place. */
  setDefaults(object: Tree): void;
  /** True where objects of that version and kind can be read at all. */
  isRegistered(apiVersion: string, kind: string): boolean;
  /** What an object of the kind looks like before anything is set. */
  empty(): Tree;
  /** Undefined where strategic merge patches are not understood: custom resources. */
  readonly patchSchema: PatchSchema | undefined;
  /** The type, as field ownership sees it. */
  readonly atom: Atom;
}

/** A subresource of a resource, e.g. "scale" with kind autoscaling/v1 Scale. */
export interface Subresource {
  readonly name: string;
  readonly kind: GroupVersionKind;
  readonly verbs: readonly string[];
}

/** One resource in one version, as it is served. */
export interface ServedResource extends GroupVersionKind, GroupResource {
  /** "apps/v1", or "v1" of the core group. */
  readonly apiVersion: string;
  readonly listKind: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Empty for kinds that are only created, such as reviews. */
  readonly verbs: readonly string[];
  readonly subresources: ReadonlyMap<string, Subresource>;
  /** Where its replicas stand, for those with a scale subresource. */
  readonly scale: ScalePaths;
  /** Where its objects are kept, the same for all its versions. */
  readonly bucket: string;
  /** The version in which they are kept. */
  readonly storageVersion: string;
  /** The name of its type in OpenAPI documents, e.g. "io.k8s.api.apps.v1.Deployment". */
  readonly typeName: string;
  /** The OpenAPI v3 schema of a custom resource; undefined for built-in types. */
  readonly customSchema: JsonObject | undefined;
  /** The columns in which lists of its objects are shown as tables. */
  readonly columns: TableColumns;
  /** True for custom resources: the items of their lists say their kind, and fewer rules are built in. */
  readonly custom: boolean;
  /** What everyone who uses it is told; undefined for resources that are meant to stay. */
  readonly deprecation?: string | undefined;
  readonly codec: ObjectCodec;
  readonly rules: KindRules;
  /** The versions in whose terms field managers may speak. */
  readonly versions: Omit<TypedVersions, "ignored">;
  /** An object of this version in the version in which it is kept. May change and return its argument. */
  readonly toStorage: (object: Tree) => Tree;
  /** A kept object, whatever its version, in this one. May change and return its argument. */
  readonly fromStorage: (object: Tree) => Tree;
}

/** Where the objects of a resource are kept: "pods", "deployments.apps". */
export function bucketOf(group: string, resource: string): string {
  return group === "" ? resource : `${resource}.${group}`;
}

import type { JsonValue } from "@weir/base";

/** An owner of an object, which Kubernetes uses for garbage collection. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** The metadata of an object. A manifest has few of these fields, a live object nearly all. */
export interface ObjectMeta {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string | null;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>> | null;
  readonly annotations?: Readonly<Record<string, string>> | null;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  readonly [field: string]: unknown;
}

/** A Kubernetes object as JSON: a manifest or a live object. Never modified in place. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec?: JsonValue;
  readonly status?: JsonValue;
  readonly data?: JsonValue;
  readonly [field: string]: unknown;
}

/** The object's annotation `name`, or undefined. */
export function annotationOf(object: KubeObject, name: string): string | undefined {
  return object.metadata.annotations?.[name];
}

/** The object's label `name`, or undefined. */
export function labelOf(object: KubeObject, name: string): string | undefined {
  return object.metadata.labels?.[name];
}

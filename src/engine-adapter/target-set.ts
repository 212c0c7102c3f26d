import { messageOf } from "@weir/base";
import type { Target } from "@weir/engine";
import {
  checksumAnnotation,
  checksumOf,
  clusterScope,
  hasPolicy,
  markLabel,
  markOf,
  partsOfResourceId,
  type Resource,
  type ResourceError,
  type ResourceId,
  type SyncSet,
} from "@weir/flux";
import { type KubeObject, keyOf, printKey, type ResourceKey } from "@weir/kube";
import { toKubeObject } from "../manifests/kube-object.ts";
import { isAllowedObject, isAllowedResource } from "./allowed-namespaces.ts";

/** A sync set in the engine's terms. */
export interface TargetSet {
  readonly targets: readonly Target[];
  /** The checksums of all resources that the namespace constraints include, applied or not. */
  readonly checksums: ReadonlyMap<ResourceId, string>;
  /** The resources that the namespace constraints exclude. */
  readonly excluded: readonly ResourceId[];
  /** The resources whose file says not to apply them. */
  readonly ignored: readonly Resource[];
  /** Resources that can't be turned into objects. They aren't targets, but they must not be pruned either. */
  readonly broken: readonly ResourceError[];
  /** The manifest of the object with this key. */
  readonly resourceOf: (key: ResourceKey) => Resource | undefined;
}

/** What's remembered about one resource between syncs. */
interface Made {
  readonly bytes: string;
  readonly source: string;
  readonly checksum: string;
  readonly target: Target;
  readonly key: string;
}

/**
 * Turns sync sets into targets. A resource whose bytes didn't change keeps the same target object, so that the engine
 * needn't compare it again.
 */
export class TargetMaker {
  readonly #allowed: ReadonlySet<string>;
  #made: ReadonlyMap<ResourceId, Made> = new Map();

  constructor(allowedNamespaces: ReadonlySet<string>) {
    this.#allowed = allowedNamespaces;
  }

  make(set: SyncSet): TargetSet {
    const made = new Map<ResourceId, Made>();
    const byKey = new Map<string, Resource>();
    const checksums = new Map<ResourceId, string>();
    const excluded: ResourceId[] = [];
    const ignored: Resource[] = [];
    const broken: ResourceError[] = [];
    for (const resource of set.resources.values()) {
      const { id, source } = resource;
      if (!isAllowedResource(id, this.#allowed)) {
        excluded.push(id);
        continue;
      }
      try {
        const one = this.#makeOne(resource, set.name);
        if (!isAllowedObject(one.target.object, this.#allowed)) {
          excluded.push(id);
          continue;
        }
        made.set(id, one);
        checksums.set(id, one.checksum);
        byKey.set(one.key, resource);
        if (!one.target.apply) {
          ignored.push(resource);
        }
      } catch (error) {
        broken.push({ id, source, error: messageOf(error) });
        checksums.set(id, checksumOf(resource.bytes));
      }
    }
    this.#made = made;
    const targets = [...made.values()].map(({ target }) => target);
    return { targets, checksums, excluded, ignored, broken, resourceOf: (key) => byKey.get(printKey(key)) };
  }

  #makeOne(resource: Resource, syncSetName: string): Made {
    const known = this.#made.get(resource.id);
    if (known?.bytes === resource.bytes && known.source === resource.source) {
      return known;
    }
    const { bytes, source } = resource;
    const checksum = checksumOf(bytes);
    const object = withMarks(toKubeObject(resource), { id: resource.id, checksum, syncSetName });
    const target = { object, apply: !hasPolicy(resource.policies, "ignore") };
    return { bytes, source, checksum, target, key: printKey(keyOf(object)) };
  }
}

/** The marks for an object of a sync set. */
export interface Marks {
  readonly id: ResourceId;
  /** The checksum of the manifest's bytes. */
  readonly checksum: string;
  readonly syncSetName: string;
}

/**
 * The manifest with its namespace, checksum, and mark. As in Flux v1, the manifest's own values take precedence, even
 * an outdated mark or checksum. Only the namespace of a cluster-scoped object is removed, as the API server does;
 * otherwise, the object wouldn't be recognized again.
 */
export function withMarks(object: KubeObject, { id, checksum, syncSetName }: Marks): KubeObject {
  const { namespace } = partsOfResourceId(id);
  const { namespace: own = "", ...metadata } = object.metadata;
  const annotations = { ...metadata.annotations };
  const labels = { ...metadata.labels };
  annotations[checksumAnnotation] ||= checksum;
  labels[markLabel] ||= markOf(syncSetName, id);
  return {
    ...object,
    metadata: {
      ...metadata,
      ...(namespace === clusterScope ? {} : { namespace: own === "" ? namespace : own }),
      annotations,
      labels,
    },
  };
}

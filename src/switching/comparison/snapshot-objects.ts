import { markLabel, markOf } from "@weir/flux";
import type { KubeObject } from "@weir/kube";
import { liveIdOf } from "../../engine-adapter/live-id.ts";
import { isDefinition, isNamespace } from "./object-roles.ts";
import type { SecretHasher } from "./secret-hasher.ts";
import { belongsInSnapshot, type Snapshot } from "./snapshot.ts";
import { without } from "./without.ts";

/** How to use a snapshot. */
export interface SnapshotUse {
  /** The sync set to compare. */
  readonly syncSetName: string;
  /** True to take only namespaces and definitions, without marks. */
  readonly onlyPremises: boolean;
  readonly hasher: SecretHasher;
}

/** The objects of a snapshot as a cluster would have them, with hashes as the values of Secrets. */
export async function snapshotObjects(
  { objects, salt, settings }: Snapshot,
  { syncSetName, onlyPremises, hasher }: SnapshotUse,
): Promise<readonly KubeObject[]> {
  const own = objects.filter(belongsInSnapshot);
  if (onlyPremises) {
    return own.filter((object) => isDefinition(object) || isNamespace(object)).map(withoutMark);
  }
  const hashed = salt === undefined ? await Promise.all(own.map((object) => hasher.object(object))) : own;
  return settings === undefined ? hashed.map((object) => withMark(object, syncSetName)) : hashed;
}

/** A list from kubectl doesn't say which fluxd has applied what, so all of it counts. */
function withMark(object: KubeObject, syncSetName: string): KubeObject {
  const { metadata } = object;
  if (metadata.labels?.[markLabel] === undefined) {
    return object;
  }
  const labels = { ...metadata.labels, [markLabel]: markOf(syncSetName, liveIdOf(object)) };
  return { ...object, metadata: { ...metadata, labels } };
}

function withoutMark(object: KubeObject): KubeObject {
  const { metadata } = object;
  return { ...object, metadata: { ...metadata, labels: without(metadata.labels, markLabel) } };
}

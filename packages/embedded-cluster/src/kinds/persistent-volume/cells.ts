import { ageOf, type Cells, nameOf } from "../../tables/cell-text.ts";
import { stringAt, stringsAt, type Tree, treeAt } from "../../tree.ts";

/** The cells of PersistentVolumes. */
export const persistentVolumeCells: Cells = (object, now) => [
  nameOf(object),
  stringAt(object, "spec", "capacity", "storage") || "0",
  accessModes(object, "spec"),
  stringAt(object, "spec", "persistentVolumeReclaimPolicy"),
  phaseOf(object),
  claimOf(object),
  stringAt(object, "spec", "storageClassName"),
  stringAt(object, "spec", "volumeAttributesClassName") || "<unset>",
  stringAt(object, "status", "reason"),
  ageOf(object, now),
  stringAt(object, "spec", "volumeMode") || "<unset>",
];

/** The phase of a volume or claim; "Terminating" for one that is to go. */
export function phaseOf(object: Tree): string {
  const isGoing = stringAt(object, "metadata", "deletionTimestamp") !== "";
  return isGoing ? "Terminating" : stringAt(object, "status", "phase");
}

const modes: ReadonlyMap<string, string> = new Map([
  ["ReadWriteOnce", "RWO"],
  ["ReadOnlyMany", "ROX"],
  ["ReadWriteMany", "RWX"],
  ["ReadWriteOncePod", "RWOP"],
]);

/** The access modes in short. */
export function accessModes(object: Tree, part: "spec" | "status"): string {
  const set = new Set(stringsAt(object, part, "accessModes"));
  return [...modes].flatMap(([mode, short]) => (set.has(mode) ? [short] : [])).join(",");
}

function claimOf(volume: Tree): string {
  const claim = treeAt(volume, "spec", "claimRef");
  return claim === undefined ? "" : `${stringAt(claim, "namespace")}/${stringAt(claim, "name")}`;
}

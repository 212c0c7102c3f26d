import { ensureTree, setDefault, type Tree } from "../../tree.ts";
import type { Kind } from "../kind.ts";
import { persistentVolumeCells } from "./cells.ts";
import { volumeRules } from "./rules.ts";

function defaultVolume(volume: Tree): void {
  const spec = ensureTree(volume, "spec");
  setDefault(ensureTree(volume, "status"), "phase", "Pending");
  setDefault(spec, "persistentVolumeReclaimPolicy", "Retain");
  setDefault(spec, "volumeMode", "Filesystem");
}

/** PersistentVolumes. */
export const persistentVolume: Kind = {
  bucket: "persistentvolumes",
  rules: volumeRules,
  defaults: {
    "io.k8s.api.core.v1.PersistentVolume": defaultVolume,
  },
  cells: persistentVolumeCells,
};

import { ensureTree, setDefault, type Tree } from "../../tree.ts";
import type { Defaults } from "../kind.ts";

/** The defaults of PersistentVolumes. */
export const persistentVolumeDefaults: Defaults = {
  "io.k8s.api.core.v1.PersistentVolume": defaultVolume,
};

function defaultVolume(volume: Tree): void {
  const spec = ensureTree(volume, "spec");
  setDefault(ensureTree(volume, "status"), "phase", "Pending");
  setDefault(spec, "persistentVolumeReclaimPolicy", "Retain");
  setDefault(spec, "volumeMode", "Filesystem");
}

import { ageOf, type Cells, nameOf } from "../../tables/cell-text.ts";
import { ensureTree, setDefault, stringAt } from "../../tree.ts";
import type { Defaults, Kind } from "../kind.ts";
import { accessModes, phaseOf } from "../persistent-volume/cells.ts";
import { claimRules } from "./rules.ts";

/** The defaults of PersistentVolumeClaims. */
const claimDefaults: Defaults = {
  "io.k8s.api.core.v1.PersistentVolumeClaim": (claim) =>
    setDefault(ensureTree(claim, "status"), "phase", "Pending"),
  "io.k8s.api.core.v1.PersistentVolumeClaimSpec": (spec) => setDefault(spec, "volumeMode", "Filesystem"),
};

/** The cells of PersistentVolumeClaims. */
const claimCells: Cells = (object, now) => {
  const volume = stringAt(object, "spec", "volumeName");
  return [
    nameOf(object),
    phaseOf(object),
    volume,
    volume === "" ? "" : stringAt(object, "status", "capacity", "storage") || "0",
    volume === "" ? "" : accessModes(object, "status"),
    stringAt(object, "spec", "storageClassName"),
    stringAt(object, "spec", "volumeAttributesClassName") || "<unset>",
    ageOf(object, now),
    stringAt(object, "spec", "volumeMode") || "<unset>",
  ];
};

/** PersistentVolumeClaims. */
export const persistentVolumeClaim: Kind = {
  bucket: "persistentvolumeclaims",
  rules: claimRules,
  defaults: claimDefaults,
  cells: claimCells,
};

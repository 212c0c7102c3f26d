import { ageOf, nameOf } from "../../tables/cell-text.ts";
import { ensureTree, setDefault, stringAt } from "../../tree.ts";
import type { Kind } from "../kind.ts";
import { accessModes, phaseOf } from "../persistent-volume/cells.ts";
import { claimRules } from "./rules.ts";

/** PersistentVolumeClaims. */
export const persistentVolumeClaim: Kind = {
  bucket: "persistentvolumeclaims",
  rules: claimRules,
  defaults: {
    "io.k8s.api.core.v1.PersistentVolumeClaim": (claim) =>
      setDefault(ensureTree(claim, "status"), "phase", "Pending"),
    "io.k8s.api.core.v1.PersistentVolumeClaimSpec": (spec) => setDefault(spec, "volumeMode", "Filesystem"),
  },
  cells: (object, now) => {
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
  },
};

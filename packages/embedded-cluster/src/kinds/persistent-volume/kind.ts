import type { Kind } from "../kind.ts";
import { persistentVolumeCells } from "./cells.ts";
import { persistentVolumeDefaults } from "./defaults.ts";
import { volumeRules } from "./rules.ts";

/** PersistentVolumes. */
export const persistentVolume: Kind = {
  bucket: "persistentvolumes",
  rules: volumeRules,
  defaults: persistentVolumeDefaults,
  cells: persistentVolumeCells,
};

import type { SyncSettings } from "@weir/flux/api";

/**
 * The settings if no fluxd says what they are: everything in the folder counts, and what isn't in it anymore is shown as
 * removed.
 */
export const offlineSettings: SyncSettings = {
  syncSetName: "offline",
  paths: [],
  defaultNamespace: "default",
  allowedNamespaces: [],
  excludedKinds: [],
  prune: "on",
  pruneLimit: "100%",
  takeOver: true,
  quarantine: true,
  manifestGeneration: true,
  decrypts: false,
};

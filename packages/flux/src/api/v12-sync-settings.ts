import { type JsonObject, JsonReader, type JsonValue, textAt } from "@weir/base";
import type { SyncSettings } from "./inspection.ts";

/** The fields of SyncSettings. */
export function encodeSyncSettings(settings: SyncSettings): JsonObject {
  return { ...settings };
}

/** Decodes the result of encodeSyncSettings. Throws JsonShapeError. */
export function decodeSyncSettings(value: JsonValue, path?: string): SyncSettings {
  const reader = new JsonReader(value, path);
  const prune = reader.text("prune");
  return {
    syncSetName: reader.text("syncSetName"),
    paths: reader.list("paths", textAt) ?? [],
    defaultNamespace: reader.text("defaultNamespace"),
    allowedNamespaces: reader.list("allowedNamespaces", textAt) ?? [],
    excludedKinds: reader.list("excludedKinds", textAt) ?? [],
    prune: prune === "on" || prune === "dry-run" ? prune : "off",
    pruneLimit: reader.text("pruneLimit"),
    takeOver: reader.flag("takeOver"),
    quarantine: reader.flag("quarantine"),
    manifestGeneration: reader.flag("manifestGeneration"),
    decrypts: reader.flag("decrypts"),
  };
}

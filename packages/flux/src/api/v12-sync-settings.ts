import { flag, record, text, texts, word } from "./codec.ts";
import type { SyncSettings } from "./inspection.ts";

/** As an object with the fields of SyncSettings. Decoding throws JsonShapeError. */
export const { encode: encodeSyncSettings, decode: decodeSyncSettings } = record<SyncSettings>({
  syncSetName: text,
  paths: texts,
  defaultNamespace: text,
  allowedNamespaces: texts,
  excludedKinds: texts,
  prune: word(["on", "off", "dry-run"], "off"),
  pruneLimit: text,
  takeOver: flag,
  quarantine: flag,
  manifestGeneration: flag,
  decrypts: flag,
});

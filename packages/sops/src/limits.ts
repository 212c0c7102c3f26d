import { manifestLimits } from "@weir/base";

/** Limits for files from outside. A file within the limits for manifests is within these. */
export const sopsLimits = {
  /** The depth of nested mappings and lists. */
  depth: 500,
  /** Keys and values of one document, where those that YAML aliases repeat count each time. */
  nodes: manifestLimits.nodes,
  /** Characters of all decrypted values of a file. */
  characters: manifestLimits.writtenCharacters,
  /** Bytes of a file. */
  file: manifestLimits.file,
} as const;

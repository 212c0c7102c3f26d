import type { JsonValue } from "@weir/base";
import type { ResourceStatus } from "../cluster/tree.ts";
import { type Codec, list, optional, record, resource, text, word } from "./codec.ts";
import type { TreeReport } from "./inspection.ts";

const status: Codec<ResourceStatus> = record<ResourceStatus>({
  id: resource,
  apiVersion: text,
  source: text,
  sync: word(["Synced", "OutOfSync", "Ignored", "Obsolete", ""], ""),
  health: text,
  message: text,
  children: list({
    missing: {},
    encode: (child: ResourceStatus) => status.encode(child),
    decode: (value: JsonValue, path: string) => status.decode(value, path),
  }),
});

/** As an object with the fields of a TreeReport. Decoding throws JsonShapeError. */
export const { encode: encodeTree, decode: decodeTree } = record<TreeReport>({
  revision: text,
  version: optional(text),
  resources: list(status),
});

import type { JsonObject } from "@weir/base";
import type { Atom } from "../managed-fields/merge-schema.ts";
import type { ObjectCodec } from "../resources/served-resource.ts";
import type { ApiType } from "../schema/api-types.ts";
import { type Decoded, DecodeError, decodeTyped } from "../schema/decode.ts";
import { cloneNode, isTree, nodeAt, type Tree } from "../tree.ts";
import { pruneUnknown } from "./prune.ts";
import { setSchemaDefaults } from "./set-defaults.ts";

/** What a custom codec is made of. */
export interface CustomKind {
  readonly kind: string;
  readonly apiVersion: string;
  readonly schema: JsonObject;
  /** The built-in type of metadata, which custom resources have like all objects. */
  readonly metadata: ApiType;
  readonly atom: () => Atom;
}

/** The codec of a custom resource: its metadata is typed, the rest follows its schema. */
export function customCodec({ kind, apiVersion, schema, metadata, atom }: CustomKind): ObjectCodec {
  return {
    decode: (object) => decode(object, { kind, apiVersion, schema, metadata }),
    setDefaults: (object) => setSchemaDefaults(schema, object),
    isRegistered: () => true,
    empty: (): Tree => ({ kind, apiVersion, metadata: {} }),
    patchSchema: undefined,
    get atom() {
      return atom();
    },
  };
}

function decode(object: Tree, { kind, apiVersion, schema, metadata }: Omit<CustomKind, "atom">): Decoded {
  const given = nodeAt(object, "metadata") ?? {};
  if (!isTree(given)) {
    throw new DecodeError("metadata must be an object");
  }
  const read = decodeTyped(metadata, given);
  const content = cloneNode<Tree>(object);
  const unknown = pruneUnknown(schema, content);
  return {
    object: { kind, apiVersion, ...withoutType(content), metadata: read.object },
    unknown: [...unknown, ...read.unknown.map((path) => `metadata.${path}`)].sort(),
  };
}

/** Kind and version come first in what is stored, then what lies between, in its own order. */
function withoutType(object: Tree): Tree {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== "kind" && key !== "apiVersion"));
}

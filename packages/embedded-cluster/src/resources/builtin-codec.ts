import type { JsonObject } from "@weir/base";
import { apiVersionOf, groupOf, versionOf } from "@weir/kube";
import type { PatchField, PatchSchema } from "@weir/kube/patch";
import { MergeSchemas } from "../managed-fields/merge-schema.ts";
import { describedSchema } from "../openapi/described-schemas.ts";
import type { ApiField, ApiType, ApiTypes, Shape } from "../schema/api-types.ts";
import { applyDefaults, type Defaulters } from "../schema/apply-defaults.ts";
import { decodeTyped, zeroStruct } from "../schema/decode.ts";
import type { Tree } from "../tree.ts";
import type { ObjectCodec } from "./served-resource.ts";

/** Makes the codecs of built-in kinds. */
export class BuiltinCodecs {
  readonly #types: ApiTypes;
  readonly #defaulters: Defaulters;
  readonly #merge: MergeSchemas;

  constructor(types: ApiTypes, defaulters: Defaulters) {
    const schemas = new OpenApiSchemas(types);
    this.#types = types;
    this.#defaulters = defaulters;
    this.#merge = new MergeSchemas((ref) => schemas.schema(ref.slice(ref.lastIndexOf("/") + 1)));
  }

  /** The codec of the type with that OpenAPI name; undefined where there is no such type. */
  codec(typeName: string, apiVersion: string, kind: string): ObjectCodec | undefined {
    const type = this.#types.type(typeName);
    return type === undefined ? undefined : this.#make(type, apiVersion, kind);
  }

  /** The codec of a kind; undefined where it is not built in. */
  ofKind(group: string, version: string, kind: string): ObjectCodec | undefined {
    const name = this.#types.nameOfKind(group, version, kind);
    return name === undefined ? undefined : this.codec(name, apiVersionOf(group, version), kind);
  }

  /** The ownership types of all built-in types, custom resources' metadata included. */
  get mergeSchemas(): MergeSchemas {
    return this.#merge;
  }

  #make(type: ApiType, apiVersion: string, kind: string): ObjectCodec {
    const defaulters = this.#defaulters;
    const merge = this.#merge;
    const reference = { $ref: `#/components/schemas/${type.name}` };
    return {
      decode: (object) => decodeTyped(type, { ...object, kind, apiVersion }),
      setDefaults: (object) => applyDefaults(type, object, defaulters),
      isRegistered: (version, name) =>
        this.#types.nameOfKind(groupOf(version), versionOf(version), name) !== undefined,
      empty: (): Tree => ({ kind, apiVersion, ...zeroStruct(type) }),
      patchSchema: patchSchemaOf(type),
      get atom() {
        return merge.atom(reference);
      },
    };
  }
}

/** The OpenAPI v3 schemas of the built-in types, put together from their data. */
export class OpenApiSchemas {
  readonly #types: ApiTypes;
  readonly #made = new Map<string, JsonObject | undefined>();

  constructor(types: ApiTypes) {
    this.#types = types;
  }

  /** The schema with that name, without descriptions; undefined where there is none. */
  schema(name: string): JsonObject | undefined {
    if (!this.#made.has(name)) {
      this.#made.set(name, describedSchema(this.#types, {}, name));
    }
    return this.#made.get(name);
  }
}

/** The patch rules of a built-in type. */
export function patchSchemaOf(type: ApiType): PatchSchema {
  return {
    field: (name) => {
      const field = type.field(name);
      return field === undefined ? undefined : patchFieldOf(field);
    },
  };
}

function patchFieldOf(field: ApiField): PatchField {
  const mergeKey = field.schema["x-kubernetes-patch-merge-key"];
  const schema = schemaBelow(field.shape);
  return {
    strategies: strategiesOf(field.schema["x-kubernetes-patch-strategy"]),
    ...(typeof mergeKey === "string" ? { mergeKey } : {}),
    ...(schema === undefined ? {} : { schema }),
  };
}

function strategiesOf(value: unknown): PatchField["strategies"] {
  const words = typeof value === "string" ? value.split(",") : [];
  return words.filter((word) => word === "merge" || word === "replace" || word === "retainKeys");
}

function schemaBelow(shape: Shape): PatchSchema | undefined {
  switch (shape.kind) {
    case "struct":
      return patchSchemaOf(shape.type);
    case "list":
      return schemaBelow(shape.items);
    case "map":
      return schemaBelow(shape.values);
    default:
      return undefined;
  }
}

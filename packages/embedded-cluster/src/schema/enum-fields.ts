/** Fields that hold one of a few words, as the schemas of built-in types list them. */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@weir/base";
import { loadApiTypes } from "./api-types.ts";

/** A field whose schema has an enum, or whose items have. */
export interface EnumField {
  /** Its name in the object, e.g. "imagePullPolicy". */
  readonly name: string;
  /** In the order of the alphabet, as OpenAPI has them. */
  readonly words: readonly string[];
  /** True where the object is to have it. */
  readonly isRequired: boolean;
}

const known = new Map<string, EnumField>();

/** A field by group, version, type and name, e.g. "core.v1.Container.imagePullPolicy". */
export function enumField(id: string): EnumField {
  const field = known.get(id) ?? readField(id);
  known.set(id, field);
  return field;
}

function readField(id: string): EnumField {
  const dot = id.lastIndexOf(".");
  const name = id.slice(dot + 1);
  const type = loadApiTypes().type(`io.k8s.api.${id.slice(0, dot)}`);
  const schema = type?.field(name)?.schema ?? {};
  const words = wordsOf(schema["enum"] ?? itemsOf(schema)["enum"]);
  if (words.length === 0) {
    throw new Error(`the schema lists no words for ${id}`);
  }
  return { name, words, isRequired: wordsOf(type?.schema["required"]).includes(name) };
}

function itemsOf(schema: JsonObject): JsonObject {
  return isJsonObject(schema["items"]) ? schema["items"] : {};
}

function wordsOf(list: JsonValue | undefined): readonly string[] {
  return isJsonArray(list) ? list.filter((word) => typeof word === "string") : [];
}

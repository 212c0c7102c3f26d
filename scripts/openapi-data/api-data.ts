/** Combines the server's documents and the Go declarations into the two data files that are shipped. */
import { invariant, isJsonObject, type JsonObject, type JsonValue } from "@weir/base";
import type { ApiData, ApiText, TypeData, TypeText } from "@weir/embedded-cluster";
import type { GoField, GoPackage } from "./go-types.ts";
import type { ServerDocuments } from "./server-documents.ts";

/** The Go packages by their OpenAPI name, e.g. "io.k8s.api.apps.v1". */
export type GoPackages = ReadonlyMap<string, GoPackage>;

/**
 * The machine-readable part: types, fields, and resources. Fails if the two sources have different fields.
 */
export function makeApiData(documents: ServerDocuments, packages: GoPackages): ApiData {
  const types: Record<string, TypeData> = {};
  for (const [name, schema] of sorted(documents.schemas)) {
    types[name] = typeData(name, schema, packages);
  }
  return {
    version: documents.version,
    named: namedTypes(types, packages),
    types,
    discovery: documents.discovery,
    columns: Object.fromEntries(documents.columns),
  };
}

/** The human-readable part: the descriptions of all types and fields, in the order of `data`. */
export function makeApiText(documents: ServerDocuments, data: ApiData): ApiText {
  const text: Record<string, TypeText> = {};
  for (const [name, { fields }] of Object.entries(data.types)) {
    const schema = documents.schemas.get(name);
    invariant(schema !== undefined, `no schema of ${name}`);
    const properties = propertiesOf(schema);
    text[name] = [descriptionOf(schema), ...fields.map(([field]) => descriptionOf(properties[field]))];
  }
  return text;
}

function typeData(name: string, schema: JsonObject, packages: GoPackages): TypeData {
  const properties = propertiesOf(schema);
  const fields = properties === none ? [] : structFields(name, packages);
  const known = new Set(fields.map(({ field }) => field.jsonName));
  for (const field of Object.keys(properties)) {
    invariant(known.has(field), `${name} has no Go field ${field}`);
  }
  return {
    ...without(schema, "description", "properties"),
    fields: fields
      .filter(({ field }) => properties[field.jsonName] !== undefined)
      .map(({ field, proto }) => [
        field.jsonName,
        field.type,
        flagsOf(field),
        withoutText(properties[field.jsonName]),
        proto.includes(0) ? "" : proto.join("."),
      ]),
  };
}

function flagsOf(field: GoField): string {
  return `${field.omitEmpty ? "e" : ""}${field.omitZero ? "z" : ""}`;
}

/** A field with its path in protobuf, where embedded structs are separate messages. */
interface PlacedField {
  readonly field: GoField;
  readonly proto: readonly number[];
}

/** The fields of a struct, with those of embedded structs inserted. */
function structFields(name: string, packages: GoPackages): readonly PlacedField[] {
  const dot = name.lastIndexOf(".");
  const fields = packages.get(name.slice(0, dot))?.structs.get(name.slice(dot + 1));
  invariant(fields !== undefined, `no Go struct ${name}`);
  return fields.flatMap((field) =>
    field.jsonName === ""
      ? structFields(field.type.replace(/^\*/, ""), packages).map((inner) => ({
          ...inner,
          proto: [field.proto, ...inner.proto],
        }))
      : [{ field, proto: [field.proto] }],
  );
}

/** The named types without a schema that fields reference: enumerations, maps, lists. */
function namedTypes(types: Readonly<Record<string, TypeData>>, packages: GoPackages): Record<string, string> {
  const named: Record<string, string> = {};
  const pending = Object.values(types).flatMap((type) => type.fields.map(([, goType]) => goType));
  for (let goType = pending.pop(); goType !== undefined; goType = pending.pop()) {
    for (const [name] of goType.matchAll(/[\w-]+(?:\.[\w-]+)+/g)) {
      const dot = name.lastIndexOf(".");
      const meaning = packages.get(name.slice(0, dot))?.named.get(name.slice(dot + 1));
      if (types[name] === undefined && named[name] === undefined) {
        invariant(meaning !== undefined, `no meaning of the Go type ${name}`);
        named[name] = meaning;
        pending.push(meaning);
      }
    }
  }
  return Object.fromEntries(Object.entries(named).sort());
}

const none: JsonObject = {};

function propertiesOf(schema: JsonObject): JsonObject {
  const properties = schema["properties"];
  return isJsonObject(properties) ? properties : none;
}

function descriptionOf(schema: JsonValue | undefined): string {
  const description = isJsonObject(schema) ? schema["description"] : undefined;
  return typeof description === "string" ? description : "";
}

function withoutText(schema: JsonValue | undefined): JsonObject {
  invariant(isJsonObject(schema), "a property without a schema");
  return without(schema, "description");
}

function without(object: JsonObject, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

function sorted(schemas: ReadonlyMap<string, JsonObject>): readonly [string, JsonObject][] {
  return [...schemas].sort(([a], [b]) => (a < b ? -1 : 1));
}

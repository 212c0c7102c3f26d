/**
 * The OpenAPI v2 document in the binary form in which client-go reads it: gnostic's openapi.v2.Document. What is
 * not in these tables does not occur in our documents.
 */
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@weir/base";

/** The content type by which clients ask for that form. */
export const protobufType = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

/** The document as bytes. */
export function encodeDocument(document: JsonObject): Uint8Array {
  return Buffer.concat(message("Document", document));
}

/** A field: its number, and how its value is written. */
type Field = readonly [number: number, kind: string];

/**
 * Kinds: "string", "bool" and "any" are values; a name is a message; "x[]" a list; "map:x" a message whose field 1
 * repeats pairs of a name and an x. A message "?" is chosen by what the value looks like.
 */
const messages: Readonly<Record<string, Readonly<Record<string, Field>>>> = {
  Document: {
    swagger: [1, "string"],
    info: [2, "Info"],
    paths: [8, "Paths"],
    definitions: [9, "map:Schema"],
    security: [12, "SecurityRequirement[]"],
    securityDefinitions: [13, "map:SecurityItem"],
  },
  Info: { title: [1, "string"], version: [2, "string"] },
  PathItem: {
    get: [2, "Operation"],
    put: [3, "Operation"],
    post: [4, "Operation"],
    delete: [5, "Operation"],
    patch: [8, "Operation"],
    parameters: [9, "ParametersItem[]"],
    "x-": [10, "any"],
  },
  Operation: {
    tags: [1, "string[]"],
    description: [3, "string"],
    operationId: [5, "string"],
    produces: [6, "string[]"],
    consumes: [7, "string[]"],
    parameters: [8, "ParametersItem[]"],
    responses: [9, "map:ResponseValue"],
    schemes: [10, "string[]"],
    "x-": [13, "any"],
  },
  BodyParameter: {
    description: [1, "string"],
    name: [2, "string"],
    in: [3, "string"],
    required: [4, "bool"],
    schema: [5, "Schema"],
  },
  QueryParameter: {
    required: [1, "bool"],
    in: [2, "string"],
    description: [3, "string"],
    name: [4, "string"],
    type: [6, "string"],
    uniqueItems: [20, "bool"],
  },
  PathParameter: {
    required: [1, "bool"],
    in: [2, "string"],
    description: [3, "string"],
    name: [4, "string"],
    type: [5, "string"],
    uniqueItems: [19, "bool"],
  },
  Response: { description: [1, "string"], schema: [2, "SchemaItem"] },
  Schema: {
    $ref: [1, "string"],
    format: [2, "string"],
    title: [3, "string"],
    description: [4, "string"],
    default: [5, "any"],
    maximum: [7, "double"],
    exclusiveMaximum: [8, "bool"],
    minimum: [9, "double"],
    exclusiveMinimum: [10, "bool"],
    maxLength: [11, "int"],
    minLength: [12, "int"],
    pattern: [13, "string"],
    maxItems: [14, "int"],
    minItems: [15, "int"],
    uniqueItems: [16, "bool"],
    maxProperties: [17, "int"],
    minProperties: [18, "int"],
    required: [19, "string[]"],
    enum: [20, "any[]"],
    additionalProperties: [21, "AdditionalProperties"],
    type: [22, "StringArray"],
    items: [23, "Items"],
    properties: [25, "map:Schema"],
    "x-": [31, "any"],
  },
  ApiKey: { type: [1, "string"], name: [2, "string"], in: [3, "string"], description: [4, "string"] },
};

type Chunks = readonly Uint8Array[];

function message(kind: string, object: JsonObject): Chunks {
  const fields = messages[kind] ?? {};
  const chunks: Uint8Array[] = [];
  for (const [name, value] of Object.entries(object)) {
    const isExtension = name.startsWith("x-");
    const field = isExtension ? fields["x-"] : Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field !== undefined && value !== undefined) {
      const [number, type] = field;
      chunks.push(...(isExtension ? block(number, named(name, any(value))) : write(number, type, value)));
    }
  }
  return chunks;
}

function write(number: number, kind: string, value: JsonValue): Chunks {
  if (kind.endsWith("[]")) {
    return isJsonArray(value) ? value.flatMap((item) => write(number, kind.slice(0, -2), item)) : [];
  }
  if (kind.startsWith("map:")) {
    return isJsonObject(value) ? block(number, pairs(kind.slice("map:".length), value)) : [];
  }
  return writeOne(number, kind, value);
}

function writeOne(number: number, kind: string, value: JsonValue): Chunks {
  switch (kind) {
    case "string":
      return typeof value === "string" ? block(number, [Buffer.from(value)]) : [];
    case "bool":
      return value === true ? [varint(number * 8), varint(1)] : [];
    case "int":
      return typeof value === "number" ? [varint(number * 8), varint(value)] : [];
    case "double":
      return typeof value === "number" ? [varint(number * 8 + 1), double(value)] : [];
    case "any":
      return block(number, any(value));
    case "StringArray":
      return block(number, write(1, "string[]", isJsonArray(value) ? value : [value]));
    case "Items":
      return block(number, write(1, "Schema", value));
    case "SchemaItem":
      return block(number, write(1, "Schema", value));
    case "AdditionalProperties":
      return block(
        number,
        typeof value === "boolean" ? writeOne(2, "bool", value) : write(1, "Schema", value),
      );
    case "Paths":
      return isJsonObject(value) ? block(number, repeated(2, "PathItem", value)) : [];
    case "ResponseValue":
      return block(number, write(1, "Response", value));
    case "SecurityItem":
      return block(number, write(2, "ApiKey", value));
    case "SecurityRequirement":
      return isJsonObject(value) ? block(number, pairs("StringArray", value)) : [];
    case "ParametersItem":
      return isJsonObject(value) ? block(number, parameter(value)) : [];
    default:
      return isJsonObject(value) ? block(number, message(kind, value)) : [];
  }
}

/** ParametersItem { Parameter { BodyParameter | NonBodyParameter { Query… | Path… } } } */
function parameter(value: JsonObject): Chunks {
  const inner =
    value["in"] === "body"
      ? write(1, "BodyParameter", value)
      : block(
          2,
          value["in"] === "path" ? write(4, "PathParameter", value) : write(3, "QueryParameter", value),
        );
  return block(1, inner);
}

function pairs(kind: string, object: JsonObject): Chunks {
  return repeated(1, kind, object);
}

function repeated(number: number, kind: string, object: JsonObject): Chunks {
  return Object.entries(object).flatMap(([name, value]) =>
    value === undefined ? [] : block(number, [...block(1, [Buffer.from(name)]), ...writeOne(2, kind, value)]),
  );
}

function named(name: string, value: Chunks): Chunks {
  return [...block(1, [Buffer.from(name)]), ...block(2, value)];
}

/** Free-form values stand as YAML, of which JSON is a part. */
function any(value: JsonValue): Chunks {
  return block(2, [Buffer.from(JSON.stringify(value))]);
}

/** One chunk, whatever it is made of: a document has more parts than a call can have arguments. */
function block(number: number, chunks: Chunks): Chunks {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  return [Buffer.concat([varint(number * 8 + 2), varint(length), ...chunks])];
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(Math.trunc(value)));
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}

function double(value: number): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
}

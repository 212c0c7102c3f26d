import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@weir/base";
import * as z from "zod";
import { change } from "../contract/events.ts";
import { type Route, routes } from "../contract/routes.ts";
import { type Schemas, schemas } from "../contract/schemas.ts";
import { problemDetails } from "../problem/details.ts";

/** Where the REST API begins. */
export const apiPrefix = "/api/console/v1";

/** Schemas by the names under which others refer to them. */
type Named = Record<string, JsonValue>;

/** The REST API as OpenAPI 3.1 describes it, made from what its handlers are checked against. */
export function openApi(version: string): JsonObject {
  const named: Named = {};
  named["Problem"] = jsonSchema(problemDetails, "output", named);
  named["Change"] = jsonSchema(change, "output", named);
  const paths: Record<string, Record<string, JsonValue>> = { "/stream": { get: stream } };
  for (const [name, route] of Object.entries<Route>(routes)) {
    const own: Schemas = schemas[name as keyof typeof schemas];
    (paths[route.path] ??= {})[route.method.toLowerCase()] = describe(name, route, { own, named });
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Weir console",
      version,
      description:
        "The REST API of the console. Changes need a session with its CSRF token, or an API token. Lists come in pages.",
    },
    servers: [{ url: apiPrefix }],
    paths,
    components: {
      schemas: named,
      responses: {
        Problem: {
          description: "An error: what's wrong, and what to do about it.",
          content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
        },
      },
      securitySchemes: {
        token: { type: "http", scheme: "bearer" },
        session: { type: "apiKey", in: "cookie", name: "weir-session" },
      },
    },
  };
}

const security = [{ token: [] }, { session: [] }];
const refused = { $ref: "#/components/responses/Problem" };

/** It isn't among the operations, because it doesn't end. */
const stream: JsonObject = {
  operationId: "stream",
  summary: "What changes, as it does, as server-sent events.",
  description:
    "Each event has the `type` of a Change as its name, and the Change as JSON as its data. After `reload`, and when the stream was interrupted, something may have been missed: ask again for what you show.",
  security,
  responses: {
    200: {
      description: "The stream, which goes on until the session or token ends.",
      content: { "text/event-stream": { schema: { type: "string" } } },
    },
    default: refused,
  },
};

function describe(
  name: string,
  { path, summary, needs }: Route,
  { own: { query, body, answer }, named }: { readonly own: Schemas; readonly named: Named },
): JsonObject {
  return {
    operationId: name,
    summary,
    security: needs === "nobody" ? [] : security,
    ...(needs === "nobody" || needs === "anybody-logged-in" ? {} : { "x-role": needs }),
    parameters: [...pathParameters(path), ...queryParameters(query, named)],
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: json(jsonSchema(body, "input", named)) } }),
    responses: {
      ...(answer === undefined
        ? { 204: { description: "Done." } }
        : { 200: { description: "The answer.", content: json(jsonSchema(answer, "output", named)) } }),
      default: refused,
    },
  };
}

function pathParameters(path: string): readonly JsonObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

function queryParameters(query: z.ZodObject | undefined, named: Named): readonly JsonObject[] {
  if (query === undefined) {
    return [];
  }
  const { properties, required } = jsonSchema(query, "input", named);
  return Object.entries(isJsonObject(properties) ? properties : {}).map(([name, schema = {}]) => ({
    name,
    in: "query",
    required: isJsonArray(required) && required.includes(name),
    schema,
  }));
}

function json(schema: JsonObject): JsonObject {
  return { "application/json": { schema } };
}

/** What a schema defines within itself moves to the others' names: it's used at other places of the document. */
function jsonSchema(schema: z.ZodType, io: "input" | "output", named: Named): JsonObject {
  const made = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as JsonObject;
  const { $defs = {} } = made;
  for (const [name, definition] of Object.entries(isJsonObject($defs) ? $defs : {})) {
    named[name] = withMovedReferences(without(isJsonObject(definition) ? definition : {}, "id"));
  }
  const moved = withMovedReferences(without(made, "$schema", "$defs"));
  return isJsonObject(moved) ? moved : {};
}

function without(schema: JsonObject, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keys.includes(key)));
}

function withMovedReferences(value: JsonValue): JsonValue {
  if (isJsonArray(value)) {
    return value.map(withMovedReferences);
  }
  if (!isJsonObject(value)) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, each = null]) => [
      key,
      key === "$ref" && typeof each === "string"
        ? each.replace("#/$defs/", "#/components/schemas/")
        : withMovedReferences(each),
    ]),
  );
}

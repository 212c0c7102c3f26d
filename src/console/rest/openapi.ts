import type { JsonObject, JsonValue } from "@weir/base";
import { z } from "zod";
import { type Route, routes } from "../contract/routes.ts";
import { type Schemas, schemas } from "../contract/schemas.ts";
import { problemDetails } from "../problem/details.ts";

/** Where the REST API begins. */
export const apiPrefix = "/api/console/v1";

/** The REST API as OpenAPI 3.1 describes it, made from what its handlers are checked against. */
export function openApi(version: string): JsonObject {
  const paths: Record<string, Record<string, JsonValue>> = {};
  for (const [name, route] of Object.entries<Route>(routes)) {
    const own: Schemas = schemas[name as keyof typeof schemas];
    (paths[route.path] ??= {})[route.method.toLowerCase()] = describe(name, route, own);
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
      schemas: { Problem: jsonSchema(problemDetails, "output") },
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

function describe(
  name: string,
  { path, summary, needs }: Route,
  { query, body, answer }: Schemas,
): JsonObject {
  return {
    operationId: name,
    summary,
    ...(needs === "nobody" ? { security: [] } : { security: [{ token: [] }, { session: [] }] }),
    ...(needs === "nobody" || needs === "anybody-logged-in" ? {} : { "x-role": needs }),
    parameters: [...pathParameters(path), ...queryParameters(query)],
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: json(jsonSchema(body, "input")) } }),
    responses: {
      ...(answer === undefined
        ? { 204: { description: "Done." } }
        : { 200: { description: "The answer.", content: json(jsonSchema(answer, "output")) } }),
      default: { $ref: "#/components/responses/Problem" },
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

function queryParameters(query: z.ZodObject | undefined): readonly JsonObject[] {
  if (query === undefined) {
    return [];
  }
  const { properties = {} } = jsonSchema(query, "input") as { readonly properties?: JsonObject };
  return Object.entries(properties).map(([name, schema]) => ({ name, in: "query", required: false, schema }));
}

function json(schema: JsonObject): JsonObject {
  return { "application/json": { schema } };
}

function jsonSchema(schema: z.ZodType, io: "input" | "output"): JsonObject {
  const described = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as JsonObject;
  return Object.fromEntries(Object.entries(described).filter(([key]) => key !== "$schema"));
}

import type { JsonObject, JsonValue } from "@weir/base";
import { toV2 } from "./described-schemas.ts";
import { type Operation, pathsOf } from "./operations.ts";
import { parameterV2, pathParameters } from "./parameters.ts";

const answerTypes = ["application/json", "application/yaml"];
const patchTypes = [
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
];

/** The OpenAPI v2 document of all that is served; older clients know no other. */
export function documentV2(
  version: string,
  operations: readonly Operation[],
  schemas: Readonly<Record<string, JsonObject>>,
): JsonObject {
  const definitions = Object.entries(schemas).map(([name, schema]) => [name, toV2(schema)]);
  return {
    swagger: "2.0",
    info: { title: "Kubernetes", version },
    paths: pathsOf(operations, { shared: sharedParameters, print: operationV2 }),
    definitions: Object.fromEntries(definitions) as JsonObject,
    securityDefinitions: {
      BearerToken: {
        description: "Bearer Token authentication",
        type: "apiKey",
        name: "authorization",
        in: "header",
      },
    },
    security: [{ BearerToken: [] }],
  };
}

function sharedParameters(path: string): JsonValue {
  const inPath = pathParameters(path).map(({ name, description }) => ({
    uniqueItems: true,
    type: "string",
    description,
    name,
    in: "path",
    required: true,
  }));
  return [...inPath, parameterV2("pretty")];
}

function operationV2(operation: Operation): JsonObject {
  const { tag, description, id, method, parameters, bodyType, action, kind } = operation;
  const body = {
    name: "body",
    in: "body",
    ...(method === "delete" ? {} : { required: true }),
    schema: { $ref: `#/definitions/${bodyType}` },
  };
  return {
    description,
    consumes: method === "patch" ? patchTypes : ["*/*"],
    produces: answerTypes,
    schemes: ["https"],
    tags: [tag],
    operationId: id,
    parameters: [...(bodyType === "" ? [] : [body]), ...parameters.map(parameterV2)],
    responses: responsesV2(operation),
    "x-kubernetes-action": action,
    "x-kubernetes-group-version-kind": { ...kind },
  };
}

function responsesV2({ method, answerType }: Operation): JsonObject {
  const schema = { $ref: `#/definitions/${answerType}` };
  return {
    "200": { description: "OK", schema },
    ...(method === "get" || method === "delete" ? {} : { "201": { description: "Created", schema } }),
    "401": { description: "Unauthorized" },
  };
}

import type { JsonObject, JsonValue } from "@weir/base";
import { type Operation, pathsOf } from "./operations.ts";
import { parameterV3, pathParameters } from "./parameters.ts";

const answerTypes = ["application/json", "application/yaml"];
const patchTypes = [
  "application/apply-patch+yaml",
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
];

/** An OpenAPI v3 document of one group and version. */
export function documentV3(
  version: string,
  operations: readonly Operation[],
  schemas: Readonly<Record<string, JsonObject>>,
): JsonObject {
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes", version },
    paths: pathsOf(operations, { shared: sharedParameters, print: operationV3 }),
    components: {
      schemas,
      securitySchemes: {
        BearerToken: {
          type: "apiKey",
          description: "Bearer Token authentication",
          name: "authorization",
          in: "header",
        },
      },
    },
  };
}

function sharedParameters(path: string): JsonValue {
  const inPath = pathParameters(path).map(({ name, description }) => ({
    name,
    in: "path",
    description,
    required: true,
    schema: { type: "string", uniqueItems: true },
  }));
  return [...inPath, parameterV3("pretty")];
}

function operationV3(operation: Operation): JsonObject {
  const { tag, description, id, parameters, bodyType, action, kind } = operation;
  return {
    tags: [tag],
    description,
    operationId: id,
    ...(parameters.length === 0 ? {} : { parameters: parameters.map(parameterV3) }),
    ...(bodyType === "" ? {} : { requestBody: bodyV3(operation) }),
    responses: responsesV3(operation),
    "x-kubernetes-action": action,
    "x-kubernetes-group-version-kind": { ...kind },
  };
}

function bodyV3({ method, bodyType }: Operation): JsonObject {
  const schema = { $ref: `#/components/schemas/${bodyType}` };
  const types = method === "patch" ? patchTypes : ["*/*"];
  return {
    content: Object.fromEntries(types.map((type) => [type, { schema }])),
    ...(method === "delete" ? {} : { required: true }),
  };
}

function responsesV3({ method, answerType, isCreation }: Operation): JsonObject {
  const schema = { $ref: `#/components/schemas/${answerType}` };
  const content = Object.fromEntries(answerTypes.map((type) => [type, { schema }]));
  const made =
    method === "get" || method === "delete" ? [] : [["201", { description: "Created", content }] as const];
  const accepted =
    method === "delete" || isCreation ? [["202", { description: "Accepted", content }] as const] : [];
  return Object.fromEntries([
    ["200", { description: "OK", content }],
    ...made,
    ...accepted,
    ["401", { description: "Unauthorized" }],
  ]);
}

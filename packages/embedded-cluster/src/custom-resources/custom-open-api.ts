import { isJsonObject, type JsonObject } from "@weir/base";

const metadataType = "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
const apiVersionText =
  "APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources";
const kindText =
  "Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds";
const metadataText =
  "Standard object's metadata. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";

/** The schema of a custom resource as OpenAPI documents have it: with what all objects have. */
export function openApiSchema(schema: JsonObject): JsonObject {
  const properties = schema["properties"];
  const typed = { ...schema, type: "object" };
  return {
    ...typed,
    properties: {
      ...(isJsonObject(properties) ? properties : {}),
      apiVersion: { description: apiVersionText, type: "string" },
      kind: { description: kindText, type: "string" },
      metadata: { description: metadataText, allOf: [{ $ref: metadataType }] },
    },
  };
}

/**
 * Fetches the documents about built-in kinds from a running API server: OpenAPI v3, discovery, and version.
 */
import { invariant, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@weir/base";
import { ApiServerReader, type ServerAccess } from "../generate/api-server.ts";

/** The source of the data files. */
export interface ServerDocuments {
  readonly version: JsonObject;
  /** The schemas of all group versions by name, in OpenAPI v3 format. */
  readonly schemas: ReadonlyMap<string, JsonObject>;
  /** The aggregated discovery documents of /api and /apis. */
  readonly discovery: readonly [JsonObject, JsonObject];
  /** The columns of each collection's table, by path. */
  readonly columns: ReadonlyMap<string, readonly JsonObject[]>;
}

const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/** Fetches all documents; fails on the first response that isn't the expected JSON. */
export async function fetchServerDocuments(access: ServerAccess): Promise<ServerDocuments> {
  await using server = new ApiServerReader(access);
  const get: Get = (path, accept) => server.get(path, accept);
  const discovery: [JsonObject, JsonObject] = [await get("/api", aggregated), await get("/apis", aggregated)];
  return {
    version: await get("/version"),
    schemas: await fetchSchemas(get),
    discovery,
    columns: await fetchColumns(get, discovery),
  };
}

type Get = ApiServerReader["get"];

async function fetchSchemas(get: Get): Promise<ReadonlyMap<string, JsonObject>> {
  const schemas = new Map<string, JsonObject>();
  const index = (await get("/openapi/v3"))["paths"];
  invariant(isJsonObject(index), "/openapi/v3 has no paths");
  for (const entry of Object.values(index)) {
    invariant(isJsonObject(entry) && typeof entry["serverRelativeURL"] === "string", "no serverRelativeURL");
    const components = (await get(entry["serverRelativeURL"]))["components"];
    const found = isJsonObject(components) ? components["schemas"] : undefined;
    for (const [name, schema] of Object.entries(isJsonObject(found) ? found : {})) {
      invariant(isJsonObject(schema), `${name} is not a schema`);
      schemas.set(name, schema);
    }
  }
  return schemas;
}

async function fetchColumns(
  get: Get,
  discovery: readonly JsonObject[],
): Promise<ReadonlyMap<string, readonly JsonObject[]>> {
  const columns = new Map<string, readonly JsonObject[]>();
  for (const path of discovery.flatMap((document) => [...collections(document)])) {
    const table = await get(`${path}?limit=1`, "application/json;as=Table;v=v1;g=meta.k8s.io");
    columns.set(path, objectsOf(table["columnDefinitions"]));
  }
  return columns;
}

/** The paths of all collections that can be listed. */
function* collections(document: JsonObject): Generator<string> {
  for (const group of objectsOf(document["items"])) {
    const metadata = group["metadata"];
    const name = isJsonObject(metadata) ? metadata["name"] : undefined;
    const root = typeof name === "string" ? `/apis/${name}` : "/api";
    for (const version of objectsOf(group["versions"])) {
      for (const { resource, verbs } of objectsOf(version["resources"])) {
        if (isJsonArray(verbs) && verbs.includes("list")) {
          yield `${root}/${textOf(version["version"])}/${textOf(resource)}`;
        }
      }
    }
  }
}

function objectsOf(value: JsonValue | undefined): readonly JsonObject[] {
  return isJsonArray(value) ? value.filter(isJsonObject) : [];
}

function textOf(value: JsonValue | undefined): string {
  invariant(typeof value === "string", "discovery names something without a name");
  return value;
}

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@weir/base";
import type { ResourceCache } from "@weir/engine";
import { namespacePath } from "@weir/kube";
import type { RestClient } from "@weir/kube/rest";
import { encodeYaml, type YamlValue } from "@weir/yaml/go-yaml";
import { toWorkload, workloadGroupKinds } from "./workloads.ts";

/** Where an export gets its data. */
export interface ExportSources {
  readonly cache: Pick<ResourceCache, "list">;
  readonly client: RestClient;
}

/**
 * Namespaces and their workloads as YAML documents, without the cluster's add-ons. As in Flux v1, this needs named
 * namespaces: it rejects without --k8s-allow-namespace.
 */
export async function exportWorkloads(
  namespaces: readonly string[],
  sources: ExportSources,
  signal: AbortSignal,
): Promise<string> {
  if (namespaces.length === 0) {
    throw new Error("resource name may not be empty");
  }
  const documents: JsonValue[] = [];
  for (const name of namespaces) {
    documents.push(await readNamespace(name, sources.client, signal), ...workloadsIn(name, sources.cache));
  }
  return documents.map((document) => encodeYaml(toYaml(document))).join("---\n");
}

/** The names of all namespaces, in the order of the API server. Rejects if fluxd may not list them. */
export async function namesOfNamespaces(client: RestClient, signal: AbortSignal): Promise<readonly string[]> {
  const list = await client.json({ method: "GET", path: namespacesPath, signal });
  const items = isJsonObject(list) ? list["items"] : undefined;
  return isJsonArray(items) ? items.flatMap(nameOf) : [];
}

const namespacesPath = "/api/v1/namespaces";

function nameOf(item: JsonValue): readonly string[] {
  const metadata = isJsonObject(item) ? item["metadata"] : undefined;
  const name = isJsonObject(metadata) ? metadata["name"] : undefined;
  return typeof name === "string" ? [name] : [];
}

async function readNamespace(name: string, client: RestClient, signal: AbortSignal): Promise<JsonObject> {
  const path = namespacePath(name);
  const namespace = await client.json({ method: "GET", path, signal });
  return { apiVersion: "v1", kind: "Namespace", ...(isJsonObject(namespace) ? namespace : {}) };
}

function workloadsIn(namespace: string, cache: ExportSources["cache"]): readonly JsonObject[] {
  return workloadGroupKinds
    .flatMap((kind) => [...cache.list(kind, namespace)])
    .filter((object) => toWorkload(object, () => undefined) !== undefined)
    .flatMap((object: unknown) => (isJsonObject(object) ? [object] : []));
}

/** The same value; undefined fields have no place in YAML. */
function toYaml(value: JsonValue): YamlValue {
  if (typeof value !== "object" || value === null) {
    return value;
  }
  if (!isJsonObject(value)) {
    return value.map(toYaml);
  }
  const fields = Object.entries(value).filter(
    (entry): entry is [string, JsonValue] => entry[1] !== undefined,
  );
  return Object.fromEntries(fields.map(([key, field]) => [key, toYaml(field)]));
}

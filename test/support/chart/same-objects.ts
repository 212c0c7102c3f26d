import { isJsonObject, type JsonObject, type JsonValue } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import { parse } from "yaml";
import { ownImage } from "../../../src/own-image/own-image.ts";
import { packageVersion } from "./package-version.ts";

/**
 * What chart/weir has to make where the chart of Flux v1 made these objects. This is the list of all differences: the
 * label with the chart's name, the image, who runs it, the namespace of a ServiceMonitor, and that a PodSecurityPolicy
 * has none.
 */
export function ofWeir(objects: readonly KubeObject[]): readonly KubeObject[] {
  return inOrder(objects.map(changed));
}

/** Objects by their keys, without what has no meaning: fields that are null or empty, and the layout of files. */
export function inOrder(objects: readonly KubeObject[]): readonly KubeObject[] {
  return objects.map(meaning).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function changed(object: KubeObject): KubeObject {
  const version = packageVersion();
  const { labels, ...others } = object.metadata;
  const chart = labels?.["chart"] === undefined ? labels : { ...labels, chart: `weir-${version}` };
  const metadata = { ...others, ...(chart === undefined ? {} : { labels: chart }) };
  switch (object.kind) {
    case "Deployment":
      return { ...object, metadata, spec: deploymentSpec(object.spec as JsonObject, version) };
    case "ServiceMonitor":
      return { ...object, metadata: { namespace: releaseNamespace(object), ...metadata } };
    case "PodSecurityPolicy": {
      const { name = "", labels: own = {}, annotations = {} } = metadata;
      return { ...object, metadata: { name, labels: own, annotations } };
    }
    default:
      return { ...object, metadata };
  }
}

function deploymentSpec(spec: JsonObject, version: string): JsonObject {
  const template = spec["template"] as JsonObject & { readonly spec: JsonObject };
  const containers = (template.spec["containers"] as readonly JsonObject[]).map((container) =>
    container["name"] === "flux"
      ? {
          ...container,
          image:
            container["image"] === "docker.io/fluxcd/flux:1.25.4" ? ownImage(version) : container["image"],
          securityContext: { runAsUser: 0 },
        }
      : container,
  );
  return { ...spec, template: { ...template, spec: { ...template.spec, containers } } };
}

/** Where helm puts an object that names no namespace. */
function releaseNamespace({ spec }: KubeObject): string {
  const { namespaceSelector } = spec as { readonly namespaceSelector: { readonly matchNames: [string] } };
  return namespaceSelector.matchNames[0];
}

function meaning(object: KubeObject): KubeObject {
  const { data, ...others } = withoutEmpty(object as unknown as JsonValue) as KubeObject & {
    readonly data?: JsonObject;
  };
  if (data === undefined) {
    return others;
  }
  return { ...others, data: Object.fromEntries(Object.entries(data).map(fileMeaning)) };
}

function fileMeaning([name, content]: [string, JsonValue | undefined]): [string, JsonValue | undefined] {
  if (typeof content !== "string") {
    return [name, content];
  }
  switch (name) {
    case "flux.json":
      return [name, "a dashboard"];
    case "known_hosts":
      return [name, content.trimEnd()];
    case "config":
      return [name, parse(content) as JsonValue];
    default:
      return [name, content];
  }
}

function withoutEmpty(value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    return value.map(withoutEmpty);
  }
  if (!isJsonObject(value)) {
    return value;
  }
  const fields = Object.entries(value)
    // It changes with the layout of the file; the image changes, too.
    .map(
      ([key, field]) => [key, key === "checksum/ssh" ? "a checksum" : withoutEmpty(field ?? null)] as const,
    )
    .filter(([key, field]) => field !== null && !(emptyFields.has(key) && isEmpty(field)));
  return Object.fromEntries(fields);
}

const emptyFields = new Set(["annotations", "affinity"]);

function isEmpty(value: JsonValue): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

function keyOf({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.namespace ?? ""}/${metadata.name}`;
}

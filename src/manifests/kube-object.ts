import type { Resource } from "@weir/flux";
import type { KubeObject } from "@weir/kube";
import { checkSource, decodeYaml, toKubeJson } from "@weir/yaml/go-yaml";
import { kubeObjectOf } from "./document-object.ts";
import { Manifest } from "./manifest.ts";

/**
 * The object that a resource describes, as kubectl parses it from its bytes; created once for resources from files.
 * Throws YamlError or YamlToJsonError if the bytes can't be represented in JSON, for example because of an infinite
 * number. That's an error of this resource only.
 */
export function toKubeObject(resource: Resource): KubeObject {
  return Manifest.objectOf(resource) ?? kubeObjectOf(toKubeJson(firstDocument(resource.bytes)));
}

function firstDocument(bytes: string): Parameters<typeof toKubeJson>[0] {
  const { value } = decodeYaml(checkSource(bytes)).next();
  return value === undefined ? null : value.value;
}

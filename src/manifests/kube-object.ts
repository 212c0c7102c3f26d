import type { KubeObject } from "@weir/kube";
import { checkSource, decodeYaml, toKubeJson } from "@weir/yaml/go-yaml";
import type { Resource } from "../resource/resource.ts";
import { kubeObjectOf } from "./document-object.ts";
import { Manifest } from "./manifest.ts";

/**
 * The object that a resource describes, as kubectl reads it from its bytes; made once for what was loaded from
 * files. Throws YamlError or YamlToJsonError where the bytes have no form in JSON, such as an infinite number: an
 * error of that resource alone.
 */
export function toKubeObject(resource: Resource): KubeObject {
  return Manifest.objectOf(resource) ?? kubeObjectOf(toKubeJson(firstDocument(resource.bytes)));
}

function firstDocument(bytes: string): Parameters<typeof toKubeJson>[0] {
  const { value } = decodeYaml(checkSource(bytes)).next();
  return value === undefined ? null : value.value;
}

import { isJsonObject, type JsonObject, type JsonValue } from "@weir/base";
import type { KubeObject } from "@weir/kube";
import { fieldAt, fieldOf, textOf } from "./fields.ts";

/**
 * Converts a document to a Kubernetes object. As in Flux v1, numbers in the fields that identify the object become
 * strings, and missing ones become empty; the API server checks the rest.
 */
export function kubeObjectOf(document: JsonValue): KubeObject {
  if (isKubeObject(document)) {
    return document;
  }
  const object: JsonObject = isJsonObject(document) ? document : {};
  const metadata = fieldOf(object, "metadata");
  return {
    ...object,
    apiVersion: textOf(fieldOf(object, "apiVersion")),
    kind: textOf(fieldOf(object, "kind")),
    metadata: {
      ...(isJsonObject(metadata) ? metadata : {}),
      ...nameOf(object, "name"),
      ...nameOf(object, "namespace"),
    },
  };
}

function nameOf(object: JsonObject, field: "name" | "namespace"): { readonly [field: string]: string } {
  const part = fieldAt(object, ["metadata", field]);
  return part === undefined || part === null ? {} : { [field]: textOf(part) };
}

function isKubeObject(document: JsonValue): document is JsonObject & KubeObject {
  const texts = [
    fieldOf(document, "apiVersion"),
    fieldOf(document, "kind"),
    fieldAt(document, ["metadata", "name"]),
    fieldAt(document, ["metadata", "namespace"]) ?? "",
  ];
  return texts.every((part) => typeof part === "string");
}

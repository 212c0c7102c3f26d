import { isJsonObject, type JsonObject, stringifyGoJson } from "@weir/base";
import { annotationOf, type KubeObject } from "@weir/kube";
import { PatchError } from "@weir/kube/patch";
import { asJson } from "./as-json.ts";

/** Where `kubectl apply` keeps what was applied last. */
export const lastAppliedAnnotation = "kubectl.kubernetes.io/last-applied-configuration";

/**
 * The object as `kubectl apply` sends it: with itself, byte for byte as kubectl writes it, as an annotation. An
 * annotation that it already bears is made anew. Writing the text costs far more than comparing it: keep the
 * result for as long as the manifest stays the same. Throws GoJsonError for what cannot be written as JSON.
 */
export function withLastApplied(object: KubeObject): KubeObject {
  const annotations = otherAnnotations(object);
  const text = `${stringifyGoJson(asJson(withAnnotations(object, annotations)))}\n`;
  return withAnnotations(object, { ...annotations, [lastAppliedAnnotation]: text });
}

/** The text that was applied last; undefined where the object was not applied. */
export function lastAppliedText(object: KubeObject): string | undefined {
  const text = annotationOf(object, lastAppliedAnnotation);
  return text === "" ? undefined : text;
}

/**
 * The configuration that was applied last; null where there is none. Throws PatchError where the annotation is
 * not a JSON object, without a word of its text: it may be that of a Secret.
 */
export function lastAppliedOf(object: KubeObject): JsonObject | null {
  const text = lastAppliedText(object);
  if (text === undefined) {
    return null;
  }
  const value = parse(text);
  if (!isJsonObject(value)) {
    throw new PatchError(
      "bad-object",
      `the live object's annotation ${lastAppliedAnnotation} is not a JSON object`,
    );
  }
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function withAnnotations(object: KubeObject, annotations: Readonly<Record<string, string>>): KubeObject {
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** @NOTE as kubectl: an object without annotations is written with an empty map of them. */
function otherAnnotations({ metadata }: KubeObject): Readonly<Record<string, string>> {
  const annotations = isJsonObject(metadata.annotations) ? metadata.annotations : {};
  return Object.fromEntries(Object.entries(annotations).filter(([name]) => name !== lastAppliedAnnotation));
}

import { isJsonObject, type JsonObject, stringifyGoJson, surelyMatchesGoJson } from "@weir/base";
import { annotationOf, type KubeObject } from "@weir/kube";
import { PatchError } from "@weir/kube/patch";
import { asJson } from "./as-json.ts";

/** The annotation in which `kubectl apply` stores the last-applied configuration. */
export const lastAppliedAnnotation = "kubectl.kubernetes.io/last-applied-configuration";

/**
 * The object as `kubectl apply` sends it: annotated with its own configuration, byte for byte as kubectl
 * writes it. Replaces an existing annotation. Writing the text is much slower than comparing it: keep the
 * result for as long as the manifest doesn't change. Throws GoJsonError for values that can't be written as
 * JSON.
 */
export function withLastApplied(object: KubeObject): KubeObject {
  const annotations = otherAnnotations(object);
  const text = `${stringifyGoJson(asJson(withAnnotations(object, annotations)))}\n`;
  return withAnnotations(object, { ...annotations, [lastAppliedAnnotation]: text });
}

/** An object with the last-applied annotation of another, or without one if the other has none. */
export function carryLastApplied(from: KubeObject, to: KubeObject): KubeObject {
  const text = lastAppliedText(from);
  if (text === lastAppliedText(to)) {
    return to;
  }
  const annotations = otherAnnotations(to);
  return withAnnotations(
    to,
    text === undefined ? annotations : { ...annotations, [lastAppliedAnnotation]: text },
  );
}

/**
 * True if an object was applied last from this manifest: its annotation is the one that withLastApplied would write,
 * which takes longer. Throws GoJsonError like withLastApplied.
 */
export function wasAppliedFrom(live: KubeObject, manifest: KubeObject): boolean {
  const text = lastAppliedText(live);
  if (text === undefined) {
    return false;
  }
  const annotations = otherAnnotations(manifest);
  const isPlain = annotations === manifest.metadata.annotations;
  const plain = asJson(isPlain ? manifest : withAnnotations(manifest, annotations));
  return surelyMatchesGoJson(text, plain, "\n") || text === lastAppliedText(withLastApplied(manifest));
}

/** The last-applied configuration as text; undefined if the object was never applied. */
export function lastAppliedText(object: KubeObject): string | undefined {
  const text = annotationOf(object, lastAppliedAnnotation);
  return text === "" ? undefined : text;
}

/**
 * The last-applied configuration; null if there is none. Throws PatchError if the annotation isn't a JSON
 * object; the error never quotes the text, which may belong to a Secret.
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

/** @NOTE as kubectl: an object without annotations is written with an empty annotation map. */
function otherAnnotations({ metadata }: KubeObject): Readonly<Record<string, string>> {
  const annotations = isJsonObject(metadata.annotations) ? metadata.annotations : {};
  if (!Object.hasOwn(annotations, lastAppliedAnnotation)) {
    return annotations;
  }
  return Object.fromEntries(Object.entries(annotations).filter(([name]) => name !== lastAppliedAnnotation));
}

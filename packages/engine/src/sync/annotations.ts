import { annotationOf, type KubeObject } from "@weir/kube";

/** Weir's own prefix goes before Argo CD's, which manifests in the field already bear. */
const prefixes = ["weir.dev/", "argocd.argoproj.io/"] as const;

/** What an object says under `name`, e.g. "sync-wave", with either prefix; undefined where it says nothing. */
export function syncAnnotationOf(object: KubeObject, name: string): string | undefined {
  for (const prefix of prefixes) {
    const value = annotationOf(object, `${prefix}${name}`);
    if (value !== undefined) {
      return value;
    }
  }
  return undefined;
}

/** The words of such an annotation, which are separated by commas: each once, in their order. */
export function syncWordsOf(object: KubeObject, name: string): readonly string[] {
  const words = (syncAnnotationOf(object, name) ?? "").split(",").map((word) => word.trim());
  return [...new Set(words)].filter((word) => word !== "");
}

import { annotationOf, type KubeObject } from "@weir/kube";

/** Weir's own prefix takes precedence over Argo CD's, which existing manifests use. */
const prefixes = ["weir.dev/", "argocd.argoproj.io/"] as const;

/** The value of an annotation such as "sync-wave", with either prefix; undefined if it isn't set. */
export function syncAnnotationOf(object: KubeObject, name: string): string | undefined {
  for (const prefix of prefixes) {
    const value = annotationOf(object, `${prefix}${name}`);
    if (value !== undefined) {
      return value;
    }
  }
  return undefined;
}

/** The comma-separated words of such an annotation, without duplicates and in order. */
export function syncWordsOf(object: KubeObject, name: string): readonly string[] {
  const words = (syncAnnotationOf(object, name) ?? "").split(",").map((word) => word.trim());
  return [...new Set(words)].filter((word) => word !== "");
}

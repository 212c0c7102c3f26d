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
  return wordsIn(syncAnnotationOf(object, name));
}

/** The words of the annotation with either prefix: one doesn't hide what the other protects. */
export function allSyncWordsOf(object: KubeObject, name: string): readonly string[] {
  const words = prefixes.flatMap((prefix) => wordsIn(annotationOf(object, `${prefix}${name}`)));
  return words.length === 0 ? words : [...new Set(words)];
}

/** Comma-separated words, without duplicates and in order; none if there is no text. */
export function wordsIn(text: string | undefined): readonly string[] {
  const words = text?.split(",").map((word) => word.trim()) ?? [];
  return [...new Set(words)].filter((word) => word !== "");
}

/** What words such as "Force=true" say of a switch; the first one counts, other values count as unsaid. */
export function switchIn(words: readonly string[], name: string): boolean | undefined {
  const value = valueIn(words, name);
  return value === "true" ? true : value === "false" ? false : undefined;
}

/** The value after "<name>=" in the first such word. */
export function valueIn(words: readonly string[], name: string): string | undefined {
  return words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
}

import { annotationOf, type KubeObject } from "@weir/kube";

/** The full names of the annotations: Weir's own takes precedence over Argo CD's, which existing manifests use. */
const fullNames = {
  "sync-wave": bothOf("sync-wave"),
  "sync-options": bothOf("sync-options"),
  "compare-options": bothOf("compare-options"),
  hook: bothOf("hook"),
  "hook-delete-policy": bothOf("hook-delete-policy"),
  "hook-timeout": bothOf("hook-timeout"),
  "ignore-restart-policy": bothOf("ignore-restart-policy"),
};

function bothOf(name: string): readonly [weir: string, argo: string] {
  return [`weir.dev/${name}`, `argocd.argoproj.io/${name}`];
}

/** An annotation that tells how to sync an object, without its prefix. */
export type SyncAnnotation = keyof typeof fullNames;

/** The value of an annotation, with either prefix; undefined if it isn't set. */
export function syncAnnotationOf(object: KubeObject, name: SyncAnnotation): string | undefined {
  const [weir, argo] = fullNames[name];
  return annotationOf(object, weir) ?? annotationOf(object, argo);
}

/** The comma-separated words of such an annotation, without duplicates and in order. */
export function syncWordsOf(object: KubeObject, name: SyncAnnotation): readonly string[] {
  return wordsIn(syncAnnotationOf(object, name));
}

/** The words of the annotation with either prefix: one doesn't hide what the other protects. */
export function allSyncWordsOf(object: KubeObject, name: SyncAnnotation): readonly string[] {
  const [weir, argo] = fullNames[name];
  const [one, other] = [annotationOf(object, weir), annotationOf(object, argo)];
  return one === undefined ? wordsIn(other) : [...new Set([...wordsIn(one), ...wordsIn(other)])];
}

/** Comma-separated words, without duplicates and in order; none if there is no text. */
export function wordsIn(text: string | undefined): readonly string[] {
  if (text === undefined) {
    return [];
  }
  const words = text.split(",").map((word) => word.trim());
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

import type { JsonObject, JsonValue } from "@weir/base";

/** The reason of a KubeConfigError. */
/** What an error of a kubeconfig is about. */
export interface KubeConfigErrorOptions extends ErrorOptions {
  readonly file?: string;
  readonly isEmpty?: boolean;
}

/** A kubeconfig can't be used. The message names the file or the entry, and never includes a credential. */
export class KubeConfigError extends Error {
  override readonly name = "KubeConfigError";
  /** The faulty kubeconfig, which the message names; undefined if something else is wrong. */
  readonly file: string | undefined;
  /** Nothing is wrong with a file, but none says which cluster to use. */
  readonly isEmpty: boolean;

  constructor(message: string, { file, isEmpty = false, ...options }: KubeConfigErrorOptions = {}) {
    super(message, options);
    this.file = file;
    this.isEmpty = isEmpty;
  }
}

/** Entries of one sort by name, with the types of their fields checked. */
export type NamedEntries = ReadonlyMap<string, JsonObject>;

/** The content of one or more kubeconfig files. File names in it are absolute. */
export interface KubeConfigFile {
  readonly currentContext: string;
  readonly clusters: NamedEntries;
  readonly users: NamedEntries;
  readonly contexts: NamedEntries;
}

/** A kubeconfig without entries. */
export const emptyKubeConfig: KubeConfigFile = {
  currentContext: "",
  clusters: new Map(),
  users: new Map(),
  contexts: new Map(),
};

/** Merges kubeconfigs as kubectl does. The first file that has a name, or a current context, counts. */
export function mergeKubeConfigs(files: readonly KubeConfigFile[]): KubeConfigFile {
  return files.reduce(
    (merged, file) => ({
      currentContext: merged.currentContext === "" ? file.currentContext : merged.currentContext,
      clusters: new Map([...file.clusters, ...merged.clusters]),
      users: new Map([...file.users, ...merged.users]),
      contexts: new Map([...file.contexts, ...merged.contexts]),
    }),
    emptyKubeConfig,
  );
}

/** The namespace that a context sets, by default the current one. Undefined if it sets none. */
export function currentNamespace(config: KubeConfigFile, context?: string): string | undefined {
  const entry = config.contexts.get(context ?? config.currentContext);
  return entry === undefined ? undefined : filledText(entry, "namespace");
}

/** The value if it's text. */
export function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The text in the field `name`. Undefined if it's absent or empty. */
export function filledText(entry: JsonObject, name: string): string | undefined {
  const text = textOf(entry[name]);
  return text === "" ? undefined : text;
}

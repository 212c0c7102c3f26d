import { isAbsolute, join } from "node:path";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@weir/base";
import { load, YAMLException } from "js-yaml";

/** A kubeconfig cannot be used; the message names the file or the entry, never what a credential holds. */
export class KubeConfigError extends Error {
  override readonly name = "KubeConfigError";
  /** The kubeconfig that cannot be read, which the message names; undefined where something else is wrong. */
  readonly file: string | undefined;

  constructor(message: string, { file, ...options }: ErrorOptions & { readonly file?: string } = {}) {
    super(message, options);
    this.file = file;
  }
}

/** Entries of one sort by their name, each as the file has it: nothing is checked before it is needed. */
export type NamedEntries = ReadonlyMap<string, JsonObject>;

/** What one or several kubeconfig files say. File names in it are absolute. */
export interface KubeConfigFile {
  readonly currentContext: string;
  readonly clusters: NamedEntries;
  readonly users: NamedEntries;
  readonly contexts: NamedEntries;
}

/** A kubeconfig that says nothing. */
export const emptyKubeConfig: KubeConfigFile = {
  currentContext: "",
  clusters: new Map(),
  users: new Map(),
  contexts: new Map(),
};

/** The fields that hold a file name, which is relative to the folder of the kubeconfig. */
const fileFields = ["certificate-authority", "client-certificate", "client-key", "tokenFile"];

/**
 * Reads the text of the kubeconfig at `path`. Throws KubeConfigError where it is not YAML or not a mapping;
 * the message does not quote the file, for it holds secrets.
 */
export function parseKubeConfig(text: string, path: string): KubeConfigFile {
  const config = loadYaml(text, path);
  if (config === null || config === undefined) {
    return emptyKubeConfig;
  }
  if (!isJsonObject(config)) {
    throw new KubeConfigError(`kubeconfig ${path} is not a mapping`, { file: path });
  }
  const folder = join(path, "..");
  return {
    currentContext: textOf(config["current-context"]) ?? "",
    clusters: entriesOf(config["clusters"], "cluster", folder),
    users: entriesOf(config["users"], "user", folder),
    contexts: entriesOf(config["contexts"], "context", folder),
  };
}

/** Several kubeconfigs as one, as kubectl does it: of each name and of the current context, the first counts. */
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

/** The namespace that a context (the current one where none is named) sets; undefined where it sets none. */
export function currentNamespace(config: KubeConfigFile, context?: string): string | undefined {
  const entry = config.contexts.get(context ?? config.currentContext);
  return entry === undefined ? undefined : filledText(entry, "namespace");
}

/** A value as text where it is text. */
export function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The text under `name`; undefined where it is absent or empty. */
export function filledText(entry: JsonObject, name: string): string | undefined {
  const text = textOf(entry[name]);
  return text === "" ? undefined : text;
}

function loadYaml(text: string, path: string): unknown {
  try {
    return text.trim() === "" ? undefined : load(text);
  } catch (error) {
    const at = error instanceof YAMLException && error.mark ? ` at line ${error.mark.line + 1}` : "";
    const why = error instanceof YAMLException ? `: ${error.reason}` : "";
    throw new KubeConfigError(`kubeconfig ${path} is not valid YAML${at}${why}`, { file: path });
  }
}

function entriesOf(list: JsonValue | undefined, field: string, folder: string): NamedEntries {
  const entries = new Map<string, JsonObject>();
  for (const item of isJsonArray(list) ? list : []) {
    const name = isJsonObject(item) ? textOf(item["name"]) : undefined;
    const value = isJsonObject(item) ? item[field] : undefined;
    if (name !== undefined && isJsonObject(value) && !entries.has(name)) {
      entries.set(name, withAbsoluteFiles(value, folder));
    }
  }
  return entries;
}

function withAbsoluteFiles(entry: JsonObject, folder: string): JsonObject {
  const files = fileFields.flatMap((field) => {
    const file = textOf(entry[field]);
    return file === undefined || file === "" || isAbsolute(file)
      ? []
      : [[field, join(folder, file)] as const];
  });
  return { ...entry, ...Object.fromEntries(files), ...absoluteCommand(entry["exec"], folder) };
}

/** A plugin's command with a slash in it is a file beside the kubeconfig; one without is looked up in PATH. */
function absoluteCommand(exec: JsonValue | undefined, folder: string): JsonObject {
  if (!isJsonObject(exec)) {
    return {};
  }
  const command = textOf(exec["command"]) ?? "";
  const beside = command.includes("/") && !isAbsolute(command);
  return beside ? { exec: { ...exec, command: join(folder, command) } } : {};
}

import { isAbsolute, resolve } from "node:path";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@weir/base";
import { boolYaml11Tag, CORE_SCHEMA, loadAll, mergeTag, YAMLException } from "js-yaml";
import { type EntrySort, problemOfFields } from "./kube-config-fields.ts";
import {
  emptyKubeConfig,
  KubeConfigError,
  type KubeConfigFile,
  type NamedEntries,
  textOf,
} from "./kube-config-file.ts";

/** The fields that hold a file name, which is relative to the folder of the kubeconfig. */
const fileFields = ["certificate-authority", "client-certificate", "client-key", "tokenFile"];

/** client-go reads YAML 1.1, where yes is true and << merges mappings. */
const schema = CORE_SCHEMA.withTags(boolYaml11Tag, mergeTag);

/**
 * Reads the text of the kubeconfig at `path`, by client-go's rules. Throws KubeConfigError, which doesn't quote the
 * file, because it can hold secrets.
 */
export function parseKubeConfig(text: string, path: string): KubeConfigFile {
  const config = firstDocument(text, path);
  if (config === null || config === undefined) {
    return emptyKubeConfig;
  }
  if (!isJsonObject(config)) {
    throw new KubeConfigError(
      `kubeconfig ${path} must be a mapping with the fields clusters, users and contexts`,
      { file: path },
    );
  }
  checkKind(config, path);
  return {
    currentContext: currentContextOf(config, path),
    clusters: entriesOf(config, "cluster", path),
    users: entriesOf(config, "user", path),
    contexts: entriesOf(config, "context", path),
  };
}

function firstDocument(text: string, path: string): unknown {
  try {
    return loadAll(text, { schema, json: true })[0];
  } catch (error) {
    const at = error instanceof YAMLException && error.mark ? ` at line ${error.mark.line + 1}` : "";
    const why = error instanceof YAMLException ? `: ${error.reason}` : "";
    throw new KubeConfigError(`kubeconfig ${path} is not valid YAML${at}${why}`, { file: path });
  }
}

/** Both may be left out. */
function checkKind({ apiVersion, kind }: JsonObject, path: string): void {
  const isConfig = isAbsentOr(kind, "Config") && isAbsentOr(apiVersion, "v1");
  if (!isConfig) {
    throw new KubeConfigError(
      `${path} is not a kubeconfig: it must have "kind: Config" and "apiVersion: v1", or neither`,
      { file: path },
    );
  }
}

function isAbsentOr(value: JsonValue | undefined, wanted: string): boolean {
  return value === undefined || value === null || value === "" || value === wanted;
}

function currentContextOf({ "current-context": name = null }: JsonObject, path: string): string {
  if (name !== null && typeof name !== "string") {
    throw new KubeConfigError(
      `kubeconfig ${path}: current-context must be text; put quotes around the value`,
      { file: path },
    );
  }
  return name ?? "";
}

function entriesOf(config: JsonObject, sort: EntrySort, path: string): NamedEntries {
  const list = config[`${sort}s`] ?? [];
  if (!isJsonArray(list)) {
    throw new KubeConfigError(`kubeconfig ${path}: ${sort}s must be a list`, { file: path });
  }
  const entries = new Map<string, JsonObject>();
  for (const item of list) {
    const { name, value } = namedEntry(item, sort, path);
    if (entries.has(name)) {
      throw new KubeConfigError(`kubeconfig ${path} has two ${sort}s named "${name}"; remove or rename one`, {
        file: path,
      });
    }
    entries.set(name, withAbsoluteFiles(value, resolve(path, "..")));
  }
  return entries;
}

function namedEntry(item: JsonValue, sort: EntrySort, path: string) {
  const { name = null, [sort]: value = null } = isJsonObject(item) ? item : {};
  if (!isJsonObject(item) || (name !== null && typeof name !== "string")) {
    throw new KubeConfigError(
      `kubeconfig ${path}: each of the ${sort}s must be a mapping with a name that is text`,
      { file: path },
    );
  }
  const what = `kubeconfig ${path}: ${sort} "${name ?? ""}"`;
  if (value !== null && !isJsonObject(value)) {
    throw new KubeConfigError(`${what}: the field ${sort} must be a mapping`, { file: path });
  }
  const problem = problemOfFields(value ?? {}, sort);
  if (problem !== undefined) {
    throw new KubeConfigError(`${what}: ${problem}`, { file: path });
  }
  return { name: name ?? "", value: value ?? {} };
}

function withAbsoluteFiles(entry: JsonObject, folder: string): JsonObject {
  const files = fileFields.flatMap((field) => {
    const file = textOf(entry[field]) ?? "";
    return file === "" || isAbsolute(file) ? [] : [[field, resolve(folder, file)] as const];
  });
  return { ...entry, ...Object.fromEntries(files), ...absoluteCommand(entry["exec"], folder) };
}

/** A plugin's command with a slash in it is relative to the kubeconfig. One without is looked up in PATH. */
function absoluteCommand(exec: JsonValue | undefined, folder: string): JsonObject {
  if (!isJsonObject(exec)) {
    return {};
  }
  const command = textOf(exec["command"]) ?? "";
  const beside = command.includes("/") && !isAbsolute(command);
  return beside ? { exec: { ...exec, command: resolve(folder, command) } } : {};
}

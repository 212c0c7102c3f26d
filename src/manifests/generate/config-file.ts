import {
  DurationError,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  memberOf,
  parseDuration,
} from "@weir/base";
import { decodeYaml, type SourceText, toKubeJson, YamlError, YamlToJsonError } from "@weir/yaml/go-yaml";
import { fieldOf, itemsOf, type Part, textOf } from "../fields.ts";
import { configSchema } from "./config-schema.ts";
import { schemaErrors } from "./schema.ts";

/** The name of the files that configure how manifests are generated. */
export const configFileName = ".flux.yaml";

/** A shell command in a .flux.yaml. */
export interface ShellCommand {
  readonly command: string;
  /** The time limit in milliseconds; undefined for the limit of syncs. */
  readonly timeout: number | undefined;
}

/** The commands that change files when a workload changes; a missing command does nothing. */
export interface Updater {
  readonly containerImage: ShellCommand | undefined;
  readonly policy: ShellCommand | undefined;
}

/** The content of a .flux.yaml. */
export type ConfigFile =
  /** The files beside it are manifests, as without a .flux.yaml. */
  | { readonly kind: "scan" }
  /** Commands print the manifests, and other commands change their sources. */
  | {
      readonly kind: "command";
      readonly generators: readonly ShellCommand[];
      readonly updaters: readonly Updater[];
    }
  /** Commands print the manifests; changes are stored in a patch, whose name is relative to the git path. */
  | { readonly kind: "patch"; readonly generators: readonly ShellCommand[]; readonly patchFile: string };

/** Shorter time limits are ignored. Same as in Flux v1. */
const shortestTimeout = 1000;

/** Parses a .flux.yaml. Throws ConfigFileError. */
export function parseConfigFile(text: SourceText): ConfigFile {
  const json = readJson(text);
  const errors = schemaErrors(json, configSchema);
  if (errors.length > 0) {
    throw new ConfigFileError(`config file is not valid: \n${errors.join("\n")}`);
  }
  const sections = isJsonObject(json) ? json : {};
  if (sectionOf(sections, "scanForFiles") !== undefined) {
    return { kind: "scan" };
  }
  return commandUpdated(sections) ?? patchUpdated(sections) ?? nothingSet();
}

/** A .flux.yaml is invalid; the message is Flux v1's if that has one. */
export class ConfigFileError extends Error {
  override readonly name = "ConfigFileError";
}

function readJson(text: SourceText): JsonValue {
  try {
    const { value } = decodeYaml(text).next();
    return value === undefined ? null : toKubeJson(value.value);
  } catch (error) {
    if (error instanceof YamlError || error instanceof YamlToJsonError) {
      throw new ConfigFileError(`cannot parse: error converting YAML to JSON: ${error.message}`);
    }
    throw error;
  }
}

/** A section that's null counts as missing. */
function sectionOf(sections: JsonObject, name: string): JsonObject | undefined {
  const section = memberOf(sections, name) ?? null;
  if (section === null) {
    return undefined;
  }
  if (!isJsonObject(section)) {
    throw new ConfigFileError(`config file is not valid: \n${name}: must be a mapping`);
  }
  return section;
}

function commandUpdated(sections: JsonObject): ConfigFile | undefined {
  const section = sectionOf(sections, "commandUpdated");
  return (
    section && {
      kind: "command",
      generators: generatorsOf(section),
      updaters: itemsOf(fieldOf(section, "updaters")).map(updaterOf),
    }
  );
}

function patchUpdated(sections: JsonObject): ConfigFile | undefined {
  const section = sectionOf(sections, "patchUpdated");
  return (
    section && {
      kind: "patch",
      generators: generatorsOf(section),
      patchFile: textOf(fieldOf(section, "patchFile")),
    }
  );
}

/** Flux v1 crashes if the only section in a file is null. */
function nothingSet(): never {
  throw new ConfigFileError(
    "config file is not valid: \n(root): set one of commandUpdated, patchUpdated, or scanForFiles",
  );
}

function generatorsOf(section: JsonObject): readonly ShellCommand[] {
  return itemsOf(fieldOf(section, "generators")).map(commandOf);
}

function updaterOf(part: Part): Updater {
  const [containerImage, policy] = ["containerImage", "policy"].map((name) => fieldOf(part, name));
  return {
    containerImage: containerImage === undefined ? undefined : commandOf(containerImage),
    policy: policy === undefined ? undefined : commandOf(policy),
  };
}

function commandOf(part: Part): ShellCommand {
  const timeout = fieldOf(part, "timeout");
  return {
    command: textOf(fieldOf(part, "command")),
    timeout: timeout === undefined ? undefined : timeoutOf(textOf(timeout)),
  };
}

function timeoutOf(text: string): number | undefined {
  try {
    const timeout = parseDuration(text);
    return timeout < shortestTimeout ? undefined : timeout;
  } catch (error) {
    if (error instanceof DurationError) {
      throw new ConfigFileError(`error unmarshaling JSON: ${error.message}`);
    }
    throw error;
  }
}

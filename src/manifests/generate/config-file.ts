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

/** What files that say how manifests are generated are called. */
export const configFileName = ".flux.yaml";

/** A command for the shell, as a .flux.yaml has it. */
export interface ShellCommand {
  readonly command: string;
  /** How long it may take, in milliseconds; undefined for the time that syncs have. */
  readonly timeout: number | undefined;
}

/** What changes files when something about a workload is to change; a command that is not given does nothing. */
export interface Updater {
  readonly containerImage: ShellCommand | undefined;
  readonly policy: ShellCommand | undefined;
}

/** What a .flux.yaml says of the files beside it. */
export type ConfigFile =
  /** They are manifests, as if there were no .flux.yaml. */
  | { readonly kind: "scan" }
  /** Commands print the manifests, and commands change what they are made of. */
  | {
      readonly kind: "command";
      readonly generators: readonly ShellCommand[];
      readonly updaters: readonly Updater[];
    }
  /** Commands print the manifests; what is changed is kept in a patch, named relative to the git path. */
  | { readonly kind: "patch"; readonly generators: readonly ShellCommand[]; readonly patchFile: string };

/** A .flux.yaml is not as it should be; the message is Flux v1's, where that has one. */
export class ConfigFileError extends Error {
  override readonly name = "ConfigFileError";
}

/** Shorter limits are no limits. As Flux v1. */
const shortestTimeout = 1000;

/** Reads a .flux.yaml. Throws ConfigFileError. */
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

/** A section that is null counts as not there. */
function sectionOf(sections: JsonObject, name: string): JsonObject | undefined {
  const section = memberOf(sections, name) ?? null;
  if (section === null) {
    return undefined;
  }
  if (!isJsonObject(section)) {
    throw new ConfigFileError(`config file is not valid: \n${name}: it has to be a mapping`);
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

/** Flux v1 crashes over a file in which the one section that is there is null. */
function nothingSet(): never {
  throw new ConfigFileError(
    "config file is not valid: \n(root): one of commandUpdated, patchUpdated and scanForFiles has to be set",
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

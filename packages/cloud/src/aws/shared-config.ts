import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "@weir/base";
import { type AwsProfile, AwsProfileError, findProfile, findRegion } from "./profile.ts";
import { parseSharedFile, type SharedSections } from "./shared-file.ts";

/** Which profile to use, and where to look for it. */
export interface ProfileChoice {
  /** The name of the profile; undefined for the one that the environment selects. */
  readonly profile?: string | undefined;
  /** True to read the config file too. By default, AWS_SDK_LOAD_CONFIG decides, as in version 1 of the Go SDK. */
  readonly useConfigFile?: boolean | undefined;
}

/**
 * The chosen profile; undefined if none is named and no file has the one that the environment selects. Throws
 * AwsProfileError, also for a named profile that's in no file.
 */
export async function profileForKeys(
  env: Environment,
  { profile, useConfigFile = isTrue(env["AWS_SDK_LOAD_CONFIG"]) }: ProfileChoice,
): Promise<AwsProfile | undefined> {
  const { config, credentials } = filesOf(env);
  const files = useConfigFile ? [config, credentials] : [credentials];
  const found = findProfile(profile ?? profileName(env), await readAll(files));
  if (found === undefined && profile !== undefined) {
    const where = files.filter((file) => file !== "").join(" or ") || "any file, because HOME isn't set";
    throw new AwsProfileError(profile, `it isn't in ${where}; add it there`);
  }
  return found;
}

/** The region from the environment or its profile; "" if neither names one. */
export async function configuredRegion(env: Environment): Promise<string> {
  const named = env["AWS_REGION"] || env["AWS_DEFAULT_REGION"];
  if (named) {
    return named;
  }
  const { config, credentials } = filesOf(env);
  return findRegion(profileName(env), await readAll([config, credentials]));
}

function profileName(env: Environment): string {
  return env["AWS_PROFILE"] || env["AWS_DEFAULT_PROFILE"] || "default";
}

function filesOf(env: Environment): Readonly<Record<"config" | "credentials", string>> {
  const home = env["HOME"] ?? "";
  const usual = (name: string): string => (home === "" ? "" : join(home, ".aws", name));
  return {
    config: env["AWS_CONFIG_FILE"] || usual("config"),
    credentials: env["AWS_SHARED_CREDENTIALS_FILE"] || usual("credentials"),
  };
}

/** A file that's missing or not readable counts as empty. */
function readAll(files: readonly string[]): Promise<readonly SharedSections[]> {
  return Promise.all(
    files.map(async (file) =>
      parseSharedFile(file === "" ? "" : await readFile(file, "utf8").catch(() => "")),
    ),
  );
}

/** Parses a Boolean value as Go does. */
function isTrue(text: string | undefined): boolean {
  return ["1", "t", "T", "true", "True", "TRUE"].includes(text ?? "");
}

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "@weir/base";
import { type AwsProfile, findProfile, findRegion } from "./profile.ts";
import { parseSharedFile, type SharedSections } from "./shared-file.ts";

/**
 * The profile that the environment selects; undefined if no file has it. As in Flux v1's SDK, keys come only from the
 * credentials file unless AWS_SDK_LOAD_CONFIG is set. Throws AwsProfileError.
 */
export async function profileForKeys(env: Environment): Promise<AwsProfile | undefined> {
  const { config, credentials } = filesOf(env);
  const files = isTrue(env["AWS_SDK_LOAD_CONFIG"]) ? [config, credentials] : [credentials];
  return findProfile(profileName(env), await readAll(files));
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

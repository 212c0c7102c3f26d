/**
 * Resolves a profile of AWS's shared files: a chain of roles that ends at a source of keys. Pure. Same as version 1 of
 * AWS's Go SDK.
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-assume-role-credentials.html
 */
import type { SharedSections } from "./shared-file.ts";
import type { AwsKeys } from "./signature.ts";

/** A resolved profile. */
export interface AwsProfile {
  readonly source: ProfileSource;
  /** The role to assume with the keys of the source. */
  readonly role?: AwsRole;
}

/** Where keys come from. */
export type ProfileSource =
  | { readonly kind: "keys"; readonly keys: AwsKeys }
  | { readonly kind: "profile"; readonly profile: AwsProfile }
  /** A role to assume with a token instead of keys. */
  | { readonly kind: "web-identity"; readonly tokenFile: string; readonly role: AwsRole }
  /** The keys in the environment. */
  | { readonly kind: "environment"; readonly profile: string }
  /** The role of the task or machine that this process runs on. */
  | { readonly kind: "surroundings" }
  /** The profile names no source. */
  | { readonly kind: "none" };

/** A role, and the parameters for assuming it; "" if not set. */
export interface AwsRole {
  readonly arn: string;
  readonly sessionName: string;
  readonly externalId: string;
  /** In seconds; 0 for the default. */
  readonly duration: number;
}

/** A profile can't be used. The message names the profile and the remedy, and contains no secret. */
export class AwsProfileError extends Error {
  override readonly name = "AwsProfileError";
  readonly profile: string;

  constructor(profile: string, why: string) {
    super(`AWS profile ${profile}: ${why}`);
    this.profile = profile;
  }
}

/**
 * Finds a profile. Settings in later files take precedence. Undefined if no file has the profile. Throws
 * AwsProfileError for a profile that contradicts itself, or whose keys need a person or a program.
 */
export function findProfile(name: string, files: readonly SharedSections[]): AwsProfile | undefined {
  return resolve(name, files, new Set());
}

/** The region of a profile; "" if it names none. */
export function findRegion(name: string, files: readonly SharedSections[]): string {
  return settingsOf(sectionsOf(name, files))("region");
}

type Section = ReadonlyMap<string, string>;
type Settings = (key: string) => string;

function sectionsOf(name: string, files: readonly SharedSections[]): readonly Section[] {
  return files
    .map((sections) => sections.get(name) ?? sections.get(`profile ${name}`))
    .filter((section) => section !== undefined);
}

/** Merges the sections; settings in later files take precedence. */
function settingsOf(sections: readonly Section[]): Settings {
  return (key) => sections.findLast((section) => section.get(key))?.get(key) ?? "";
}

function resolve(
  name: string,
  files: readonly SharedSections[],
  seen: ReadonlySet<string>,
): AwsProfile | undefined {
  const sections = sectionsOf(name, files);
  if (sections.length === 0) {
    return undefined;
  }
  const read = settingsOf(sections);
  const keys = keysIn(sections);
  // A profile that is its own source provides its keys, and no role.
  if (seen.has(name)) {
    return { source: keys === undefined ? { kind: "none" } : { kind: "keys", keys } };
  }
  checkOneSource(name, read);
  const role = roleIn(name, read);
  const source = sourceIn(name, read, role, keys, files, new Set([...seen, name]));
  return { source, ...(role === undefined || source.kind === "web-identity" ? {} : { role }) };
}

/** Only if one file has both parts: keys are never combined from two files. */
function keysIn(sections: readonly Section[]): AwsKeys | undefined {
  const holder = sections.findLast(
    (section) => section.get("aws_access_key_id") && section.get("aws_secret_access_key"),
  );
  return (
    holder && {
      accessKeyId: holder.get("aws_access_key_id") ?? "",
      secretAccessKey: holder.get("aws_secret_access_key") ?? "",
      sessionToken: holder.get("aws_session_token") ?? "",
    }
  );
}

function checkOneSource(name: string, read: Settings): void {
  const given = ["source_profile", "credential_source", "web_identity_token_file"].filter(
    (key) => read(key) !== "",
  );
  if (given.length > 1) {
    throw new AwsProfileError(name, `${given.join(" and ")} are set; keep only one of them`);
  }
  if (given.length === 1 && read("role_arn") === "") {
    throw new AwsProfileError(name, `${given.join("")} is set but role_arn isn't; set both`);
  }
}

function roleIn(name: string, read: Settings): AwsRole | undefined {
  const arn = read("role_arn");
  if (arn === "") {
    return undefined;
  }
  if (read("mfa_serial") !== "") {
    throw new AwsProfileError(
      name,
      "its role needs an MFA code (mfa_serial), which only a person can enter; use a role without MFA",
    );
  }
  return {
    arn,
    sessionName: read("role_session_name"),
    externalId: read("external_id"),
    duration: Number(read("duration_seconds")) || 0,
  };
}

function sourceIn(
  name: string,
  read: Settings,
  role: AwsRole | undefined,
  keys: AwsKeys | undefined,
  files: readonly SharedSections[],
  seen: ReadonlySet<string>,
): ProfileSource {
  const [sourceProfile, tokenFile] = [read("source_profile"), read("web_identity_token_file")];
  if (sourceProfile !== "") {
    return { kind: "profile", profile: sourceProfileOf(name, sourceProfile, files, seen) };
  }
  if (keys !== undefined) {
    return { kind: "keys", keys };
  }
  if (read("credential_source") !== "") {
    return credentialSource(name, read("credential_source"));
  }
  if (tokenFile !== "" && role !== undefined) {
    return { kind: "web-identity", tokenFile, role };
  }
  checkNoPerson(name, read);
  return { kind: "none" };
}

function sourceProfileOf(
  name: string,
  source: string,
  files: readonly SharedSections[],
  seen: ReadonlySet<string>,
): AwsProfile {
  const profile = resolve(source, files, seen);
  if (profile === undefined) {
    throw new AwsProfileError(
      name,
      `its source_profile ${source} doesn't exist; add it to the credentials file`,
    );
  }
  if (profile.source.kind === "none") {
    throw new AwsProfileError(
      name,
      `its source_profile ${source} has no credentials; add keys or a source to it`,
    );
  }
  return profile;
}

function credentialSource(name: string, text: string): ProfileSource {
  switch (text) {
    case "Environment":
      return { kind: "environment", profile: name };
    case "Ec2InstanceMetadata":
    case "EcsContainer":
      return { kind: "surroundings" };
    default:
      throw new AwsProfileError(
        name,
        `unknown credential_source ${text}; use Environment, Ec2InstanceMetadata, or EcsContainer`,
      );
  }
}

/** No program that a file names is run, and nobody is there to log in. */
function checkNoPerson(name: string, read: Settings): void {
  const unfit = ["sso_session", "sso_start_url", "credential_process"].find((key) => read(key) !== "");
  if (unfit !== undefined) {
    throw new AwsProfileError(name, `${unfit} isn't supported; set keys or a role_arn with a source`);
  }
}

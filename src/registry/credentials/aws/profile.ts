/**
 * What a profile of AWS's shared files says of who we are: a chain of roles that ends where keys come from. Pure.
 * As the Go SDK that Flux v1 has, version 1.
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-assume-role-credentials.html
 */
import type { SharedSections } from "./shared-file.ts";
import type { AwsKeys } from "./signature.ts";

/** A profile. */
export interface AwsProfile {
  readonly source: ProfileSource;
  /** The role to take on with the keys of the source. */
  readonly role?: AwsRole;
}

/** Where keys come from. */
export type ProfileSource =
  | { readonly kind: "keys"; readonly keys: AwsKeys }
  | { readonly kind: "profile"; readonly profile: AwsProfile }
  /** A role that is taken on with a token instead of keys. */
  | { readonly kind: "web-identity"; readonly tokenFile: string; readonly role: AwsRole }
  /** The task or the machine that this process runs on. */
  | { readonly kind: "surroundings" }
  /** The profile does not say. */
  | { readonly kind: "none" };

/** A role, and what is told when it is taken on; "" for what is not. */
export interface AwsRole {
  readonly arn: string;
  readonly sessionName: string;
  readonly externalId: string;
  /** In seconds; 0 for as long as is usual. */
  readonly duration: number;
}

/** A profile cannot be used; the message names it and what to do, and holds no secret. */
export class AwsProfileError extends Error {
  override readonly name = "AwsProfileError";
  readonly profile: string;

  constructor(profile: string, why: string) {
    super(`AWS profile ${profile}: ${why}`);
    this.profile = profile;
  }
}

/**
 * Reads a profile; what files later in the list say counts more. Undefined where none has it. Throws
 * AwsProfileError for one that contradicts itself, or that needs a person or a program to get keys.
 */
export function findProfile(name: string, files: readonly SharedSections[]): AwsProfile | undefined {
  return resolve(name, files, new Set());
}

/** The region that a profile names; "" for none. */
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

/** What the last file says that says anything. */
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
  // A profile that is its own source gives its keys, and no role.
  if (seen.has(name)) {
    return { source: keys === undefined ? { kind: "none" } : { kind: "keys", keys } };
  }
  checkOneSource(name, read);
  const role = roleIn(name, read);
  const source = sourceIn(name, read, role, keys, files, new Set([...seen, name]));
  return { source, ...(role === undefined || source.kind === "web-identity" ? {} : { role }) };
}

/** Only where one file has both halves: keys are not put together from two files. */
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
    throw new AwsProfileError(name, `only one of ${given.join(" and ")} can be set`);
  }
  if (given.length === 1 && read("role_arn") === "") {
    throw new AwsProfileError(name, `${given.join("")} is set, so role_arn must be, too`);
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
      "its role wants a code from a person (mfa_serial), and there is none here",
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
    throw new AwsProfileError(name, `its source_profile ${source} is in none of the files`);
  }
  if (profile.source.kind === "none") {
    throw new AwsProfileError(name, `its source_profile ${source} has no credentials`);
  }
  return profile;
}

function credentialSource(name: string, text: string): ProfileSource {
  switch (text) {
    case "Environment":
      // Those would come before any profile.
      throw new AwsProfileError(name, "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, its source, are not set");
    case "Ec2InstanceMetadata":
    case "EcsContainer":
      return { kind: "surroundings" };
    default:
      throw new AwsProfileError(
        name,
        `credential_source is ${text}; it can be Environment, Ec2InstanceMetadata or EcsContainer`,
      );
  }
}

/** Programs are not run for what a file says, and nobody is there to log in. */
function checkNoPerson(name: string, read: Settings): void {
  const unfit = ["sso_session", "sso_start_url", "credential_process"].find((key) => read(key) !== "");
  if (unfit !== undefined) {
    throw new AwsProfileError(
      name,
      `${unfit} is not supported; give it keys, a role_arn with a source, or use imagePullSecrets`,
    );
  }
}

/**
 * Finds AWS credentials in the same order as AWS's Go SDK: a profile that the caller names, keys from the environment, a
 * role with a web identity token, a profile in the shared files, the role of the task, and the role of the machine.
 */

import { readFile } from "node:fs/promises";
import type { Environment } from "@weir/base";
import { type HttpTransport, textIn } from "@weir/http";
import { askCloudForJson } from "../request.ts";
import { secureUrl } from "../secure-url.ts";
import type { Ec2Metadata } from "./metadata.ts";
import { type AwsProfile, AwsProfileError, type ProfileSource } from "./profile.ts";
import { type ProfileChoice, profileForKeys } from "./shared-config.ts";
import type { AwsKeys } from "./signature.ts";
import { assumeRole, assumeRoleWithToken, checkKeys, type StsOptions } from "./sts.ts";

/** What finding credentials needs. */
export interface AwsIdentityOptions extends Omit<StsOptions, "region">, ProfileChoice {
  readonly env: Environment;
  readonly metadata: Ec2Metadata;
  /** For services of the machine: allows link-local addresses, and never uses a proxy. */
  readonly localTransport: HttpTransport;
}

const taskCredentialsUrl = "http://169.254.170.2";

/** The keys for signing requests. If there are none, rejects with the error of the last source. */
export async function awsKeys(
  region: string,
  options: AwsIdentityOptions,
  signal: AbortSignal,
): Promise<AwsKeys> {
  const { env } = options;
  const own = options.profile === undefined ? environmentKeys(env) : undefined;
  if (own !== undefined) {
    return own;
  }
  const tokenFile = env["AWS_WEB_IDENTITY_TOKEN_FILE"];
  if (options.profile === undefined && env["AWS_ROLE_ARN"] && tokenFile) {
    const sessionName = env["AWS_ROLE_SESSION_NAME"] ?? "";
    const role = { arn: env["AWS_ROLE_ARN"], sessionName, externalId: "", duration: 0 };
    return assumeRoleWithToken(role, tokenFile, { ...options, region }, signal);
  }
  const profile = await profileForKeys(env, options);
  return profile === undefined
    ? surroundingKeys(options, signal)
    : profileKeys(profile, region, options, signal);
}

/** The keys of a profile: those of its source, or of its role if it has one. */
async function profileKeys(
  { source, role }: AwsProfile,
  region: string,
  options: AwsIdentityOptions,
  signal: AbortSignal,
): Promise<AwsKeys> {
  const keys = await sourceKeys(source, region, options, signal);
  return role === undefined ? keys : assumeRole(role, keys, { ...options, region }, signal);
}

function sourceKeys(
  source: ProfileSource,
  region: string,
  options: AwsIdentityOptions,
  signal: AbortSignal,
): AwsKeys | Promise<AwsKeys> {
  switch (source.kind) {
    case "keys":
      return source.keys;
    case "profile":
      return profileKeys(source.profile, region, options, signal);
    case "web-identity":
      return assumeRoleWithToken(source.role, source.tokenFile, { ...options, region }, signal);
    case "environment":
      return requiredEnvironmentKeys(source.profile, options.env);
    case "surroundings":
    case "none":
      return surroundingKeys(options, signal);
  }
}

function requiredEnvironmentKeys(profile: string, env: Environment): AwsKeys {
  const keys = environmentKeys(env);
  if (keys === undefined) {
    throw new AwsProfileError(
      profile,
      "credential_source is Environment, but AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY aren't set",
    );
  }
  return keys;
}

function environmentKeys(env: Environment): AwsKeys | undefined {
  const accessKeyId = env["AWS_ACCESS_KEY_ID"] || env["AWS_ACCESS_KEY"];
  const secretAccessKey = env["AWS_SECRET_ACCESS_KEY"] || env["AWS_SECRET_KEY"];
  return accessKeyId && secretAccessKey
    ? { accessKeyId, secretAccessKey, sessionToken: env["AWS_SESSION_TOKEN"] ?? "" }
    : undefined;
}

/** https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html */
function surroundingKeys(options: AwsIdentityOptions, signal: AbortSignal): Promise<AwsKeys> {
  const { env, metadata } = options;
  const path = env["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"];
  const full = env["AWS_CONTAINER_CREDENTIALS_FULL_URI"] ?? (path && `${taskCredentialsUrl}${path}`);
  return full
    ? taskKeys(secureUrl(full, "AWS_CONTAINER_CREDENTIALS_FULL_URI"), options, signal)
    : metadata.keys(signal);
}

async function taskKeys(
  url: URL,
  { env, localTransport, clock }: AwsIdentityOptions,
  signal: AbortSignal,
): Promise<AwsKeys> {
  const file = env["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"];
  const token = file ? (await readFile(file, "utf8")).trim() : env["AWS_CONTAINER_AUTHORIZATION_TOKEN"];
  const headers = token ? { authorization: token } : {};
  const answer = await askCloudForJson(
    { method: "GET", url, headers },
    { transport: localTransport, clock },
    signal,
  );
  return checkKeys({
    accessKeyId: textIn(answer, "AccessKeyId"),
    secretAccessKey: textIn(answer, "SecretAccessKey"),
    sessionToken: textIn(answer, "Token"),
  });
}

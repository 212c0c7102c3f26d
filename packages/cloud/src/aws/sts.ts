/** The security token service, which issues temporary keys for a role. */
import { readFile } from "node:fs/promises";
import { WireError } from "@weir/http";
import { askCloud, type CloudAccess } from "../request.ts";
import type { AwsRole } from "./profile.ts";
import { awsServiceUrl } from "./service-url.ts";
import { type AwsKeys, type AwsRequest, signedHeaders } from "./signature.ts";
import { lentKeys } from "./sts-answer.ts";

/** Where the service is, and how to reach it. */
export interface StsOptions extends CloudAccess {
  readonly region: string;
  /** The URL of a region's service. */
  readonly stsUrl: (region: string) => string;
  /** The name of a session whose role doesn't have one. AWS's audit log shows it. */
  readonly sessionName: string;
}

/** The URL of a region's security token service. */
export function stsUrl(region: string): string {
  return awsServiceUrl("sts", region);
}

const plainHeaders = { "content-type": "application/x-www-form-urlencoded", accept: "application/json" };

/** https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRoleWithWebIdentity.html */
export async function assumeRoleWithToken(
  role: AwsRole,
  tokenFile: string,
  options: StsOptions,
  signal: AbortSignal,
): Promise<AwsKeys> {
  const token = (await readFile(tokenFile, "utf8")).trim();
  const asked = { Action: "AssumeRoleWithWebIdentity", WebIdentityToken: token };
  return borrowKeys(role, asked, () => plainHeaders, options, signal);
}

/** https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html */
export function assumeRole(
  role: AwsRole,
  keys: AwsKeys,
  options: StsOptions,
  signal: AbortSignal,
): Promise<AwsKeys> {
  const { externalId, duration } = role;
  const asked = {
    Action: "AssumeRole",
    ...(externalId === "" ? {} : { ExternalId: externalId }),
    ...(duration === 0 ? {} : { DurationSeconds: String(duration) }),
  };
  const { region, clock } = options;
  const sign = (url: URL, body: string): AwsRequest["headers"] =>
    signedHeaders({ url, headers: plainHeaders, body, region, service: "sts" }, keys, clock.now());
  return borrowKeys(role, asked, sign, options, signal);
}

async function borrowKeys(
  { arn, sessionName }: AwsRole,
  asked: Readonly<Record<string, string>> & { readonly Action: string },
  headersOf: (url: URL, body: string) => AwsRequest["headers"],
  options: StsOptions,
  signal: AbortSignal,
): Promise<AwsKeys> {
  const url = new URL(options.stsUrl(options.region));
  const role = { RoleArn: arn, RoleSessionName: sessionName || options.sessionName };
  const body = new URLSearchParams({ Version: "2011-06-15", ...asked, ...role }).toString();
  const request = { method: "POST", url, headers: headersOf(url, body), body } as const;
  return checkKeys(lentKeys(await askCloud(request, options, signal), asked.Action));
}

/** Throws WireError if either key is missing. */
export function checkKeys(keys: AwsKeys): AwsKeys {
  if (keys.accessKeyId === "" || keys.secretAccessKey === "") {
    throw new WireError("AWS returned no keys");
  }
  return keys;
}

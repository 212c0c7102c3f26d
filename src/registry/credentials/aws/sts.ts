/** The security token service: lends the keys of a role for a time. */
import { readFile } from "node:fs/promises";
import type { HttpTransport } from "../../http/transport.ts";
import { WireError } from "../../wire/parse-json.ts";
import { askCloud } from "../cloud-request.ts";
import type { AwsRole } from "./profile.ts";
import { type AwsKeys, signedHeaders } from "./signature.ts";

/** Where the service is, and how it is asked. */
export interface StsOptions {
  readonly region: string;
  /** The service of a region. */
  readonly stsUrl: (region: string) => string;
  readonly transport: HttpTransport;
}

/** Where the security token service of a region is. */
export function stsUrl(region: string): string {
  return `https://sts.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}/`;
}

const usualSession = "fluxd";
const plain = { "content-type": "application/x-www-form-urlencoded", accept: "application/json" };

/** https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRoleWithWebIdentity.html */
export async function assumeRoleWithToken(
  { arn, sessionName }: AwsRole,
  tokenFile: string,
  { region, stsUrl, transport }: StsOptions,
  signal: AbortSignal,
): Promise<AwsKeys> {
  const form = new URLSearchParams({
    Action: "AssumeRoleWithWebIdentity",
    Version: "2011-06-15",
    RoleArn: arn,
    RoleSessionName: sessionName || usualSession,
    WebIdentityToken: (await readFile(tokenFile, "utf8")).trim(),
  });
  const url = new URL(stsUrl(region));
  return keysIn(
    await askCloud({ method: "POST", url, headers: plain, body: form.toString() }, transport, signal),
  );
}

/** https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html */
export async function assumeRole(
  { arn, sessionName, externalId, duration }: AwsRole,
  keys: AwsKeys,
  now: number,
  { region, stsUrl, transport }: StsOptions,
  signal: AbortSignal,
): Promise<AwsKeys> {
  const form = new URLSearchParams({
    Action: "AssumeRole",
    Version: "2011-06-15",
    RoleArn: arn,
    RoleSessionName: sessionName || usualSession,
    ...(externalId === "" ? {} : { ExternalId: externalId }),
    ...(duration === 0 ? {} : { DurationSeconds: String(duration) }),
  });
  const url = new URL(stsUrl(region));
  const request = { url, headers: plain, body: form.toString(), region, service: "sts" };
  const headers = signedHeaders(request, keys, now);
  return keysIn(await askCloud({ method: "POST", url, headers, body: request.body }, transport, signal));
}

/** The service answers in XML, or in JSON where it heeds what we accept; both name the same things. */
function keysIn(text: string): AwsKeys {
  const valueOf = (name: string): string =>
    new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1] ??
    new RegExp(`"${name}"\\s*:\\s*"([^"]*)"`).exec(text)?.[1] ??
    "";
  return checkKeys({
    accessKeyId: valueOf("AccessKeyId"),
    secretAccessKey: valueOf("SecretAccessKey"),
    sessionToken: valueOf("SessionToken"),
  });
}

/** Throws WireError for keys that are none. */
export function checkKeys(keys: AwsKeys): AwsKeys {
  if (keys.accessKeyId === "" || keys.secretAccessKey === "") {
    throw new WireError("AWS gave no keys");
  }
  return keys;
}

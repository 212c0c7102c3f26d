/** Who we are to AWS: keys of the environment, a role of the service account, of the task, or of the machine. */
import { readFile } from "node:fs/promises";
import type { HttpTransport } from "../../http/transport.ts";
import { textIn, WireError } from "../../wire/parse-json.ts";
import { askCloud, askCloudForJson } from "../cloud-request.ts";
import type { Ec2Metadata } from "./metadata.ts";
import type { AwsKeys } from "./signature.ts";

/** Variables of the environment. */
export type AwsEnvironment = Readonly<Record<string, string | undefined>>;

/** What finding out works with. */
export interface AwsIdentityOptions {
  readonly env: AwsEnvironment;
  readonly metadata: Ec2Metadata;
  /** The security token service of a region. */
  readonly stsUrl: (region: string) => string;
  readonly transport: HttpTransport;
}

const taskCredentialsUrl = "http://169.254.170.2";

/** Where the security token service of a region is. */
export function stsUrl(region: string): string {
  return `https://sts.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}/`;
}

/** The keys to sign with, in the order in which AWS's own libraries look for them; shared files are not read. */
export async function awsKeys(
  region: string,
  options: AwsIdentityOptions,
  signal: AbortSignal,
): Promise<AwsKeys> {
  const { env, metadata } = options;
  const [accessKeyId, secretAccessKey] = [env["AWS_ACCESS_KEY_ID"], env["AWS_SECRET_ACCESS_KEY"]];
  if (accessKeyId && secretAccessKey) {
    return { accessKeyId, secretAccessKey, sessionToken: env["AWS_SESSION_TOKEN"] ?? "" };
  }
  if (env["AWS_ROLE_ARN"] && env["AWS_WEB_IDENTITY_TOKEN_FILE"]) {
    return assumeRole(env["AWS_ROLE_ARN"], env["AWS_WEB_IDENTITY_TOKEN_FILE"], region, options, signal);
  }
  const path = env["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"];
  const full = env["AWS_CONTAINER_CREDENTIALS_FULL_URI"] ?? (path && `${taskCredentialsUrl}${path}`);
  return full ? taskKeys(new URL(full), options, signal) : metadata.keys(signal);
}

/** https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRoleWithWebIdentity.html */
async function assumeRole(
  role: string,
  tokenFile: string,
  region: string,
  { env, stsUrl, transport }: AwsIdentityOptions,
  signal: AbortSignal,
): Promise<AwsKeys> {
  const form = new URLSearchParams({
    Action: "AssumeRoleWithWebIdentity",
    Version: "2011-06-15",
    RoleArn: role,
    RoleSessionName: env["AWS_ROLE_SESSION_NAME"] ?? "fluxd",
    WebIdentityToken: (await readFile(tokenFile, "utf8")).trim(),
  });
  const headers = { "content-type": "application/x-www-form-urlencoded", accept: "application/json" };
  const request = { method: "POST", url: new URL(stsUrl(region)), headers, body: form.toString() } as const;
  return keysIn(await askCloud(request, transport, signal));
}

/** The service answers in XML, or in JSON where it heeds what we accept; both name the same things. */
function keysIn(text: string): AwsKeys {
  const valueOf = (name: string): string =>
    new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1] ??
    new RegExp(`"${name}"\\s*:\\s*"([^"]*)"`).exec(text)?.[1] ??
    "";
  return complete({
    accessKeyId: valueOf("AccessKeyId"),
    secretAccessKey: valueOf("SecretAccessKey"),
    sessionToken: valueOf("SessionToken"),
  });
}

/** https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html */
async function taskKeys(
  url: URL,
  { env, transport }: AwsIdentityOptions,
  signal: AbortSignal,
): Promise<AwsKeys> {
  const file = env["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"];
  const token = file ? (await readFile(file, "utf8")).trim() : env["AWS_CONTAINER_AUTHORIZATION_TOKEN"];
  const headers = token ? { authorization: token } : {};
  const answer = await askCloudForJson({ method: "GET", url, headers }, transport, signal);
  return complete({
    accessKeyId: textIn(answer, "AccessKeyId"),
    secretAccessKey: textIn(answer, "SecretAccessKey"),
    sessionToken: textIn(answer, "Token"),
  });
}

function complete(keys: AwsKeys): AwsKeys {
  if (keys.accessKeyId === "" || keys.secretAccessKey === "") {
    throw new WireError("AWS gave no keys");
  }
  return keys;
}

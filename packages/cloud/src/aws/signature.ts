/**
 * Signature Version 4, the signature of requests to AWS. Pure.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
import { createHash, createHmac } from "node:crypto";

/** The keys that sign a request. */
export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Set for temporary keys; "" for others. */
  readonly sessionToken: string;
}

/** The request to sign: a POST without a query. */
export interface AwsRequest {
  readonly url: URL;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly region: string;
  readonly service: string;
}

/** The headers of the request, with the signature added. `now` is in milliseconds since the epoch. */
export function signedHeaders(
  { url, headers, body, region, service }: AwsRequest,
  { accessKeyId, secretAccessKey, sessionToken }: AwsKeys,
  now: number,
): Readonly<Record<string, string>> {
  const time = new Date(now).toISOString().replace(/[-:]|\.\d+/g, "");
  const date = time.slice(0, 8);
  const all = {
    ...headers,
    host: url.host,
    "x-amz-date": time,
    ...(sessionToken === "" ? {} : { "x-amz-security-token": sessionToken }),
  };
  const sorted = Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1));
  const names = sorted.map(([name]) => name).join(";");
  const lines = sorted.map(([name, value]) => `${name}:${value.trim()}\n`).join("");
  const canonical = ["POST", url.pathname, "", lines, names, sha256(body)].join("\n");
  const scope = `${date}/${region}/${service}/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n");
  const key = [date, region, service, "aws4_request"].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  const signature = hmac(key, toSign).toString("hex");
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...all, authorization };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

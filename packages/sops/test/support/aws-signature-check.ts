import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { WebRequest } from "./web-request.ts";

/** Keys as the service knows them. */
export interface KnownKeys {
  readonly secret: string;
  /** Undefined for long-lived keys. */
  readonly token?: string;
}

/** What is wrong with a signed request, as a code of AWS; undefined if it's right. */
export function signatureFault(
  { method, url, headers, body }: WebRequest,
  service: string,
  keys: ReadonlyMap<string, KnownKeys>,
): string | undefined {
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([\w;-]+), Signature=([0-9a-f]{64})$/;
  const [, id = "", date = "", region = "", asked, names = "", signature = ""] =
    pattern.exec(headers.authorization ?? "") ?? [];
  const known = keys.get(id);
  const time = String(headers["x-amz-date"]);
  if (asked !== service || !time.startsWith(date)) {
    return "IncompleteSignatureException";
  }
  if (known === undefined || headers["x-amz-security-token"] !== known.token) {
    return "UnrecognizedClientException";
  }
  const needed = ["host", "x-amz-date", ...(known.token === undefined ? [] : ["x-amz-security-token"])];
  if (!needed.every((name) => names.split(";").includes(name))) {
    return "IncompleteSignatureException";
  }
  const signed = names.split(";").map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = `${method}\n${url.pathname}\n${url.search.slice(1)}\n${signed.join("")}\n${names}\n${hash(body)}`;
  const scope = `${date}/${region}/${service}/aws4_request`;
  const toSign = `AWS4-HMAC-SHA256\n${time}\n${scope}\n${hash(canonical)}`;
  let key: Buffer = Buffer.from(`AWS4${known.secret}`);
  for (const part of [date, region, service, "aws4_request"]) {
    key = createHmac("sha256", key).update(part).digest();
  }
  const expected = createHmac("sha256", key).update(toSign).digest();
  return timingSafeEqual(expected, Buffer.from(signature, "hex")) ? undefined : "InvalidSignatureException";
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

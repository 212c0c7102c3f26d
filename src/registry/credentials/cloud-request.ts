import { type JsonObject, registryLimits } from "@weir/base";
import { type HttpRequest, type HttpTransport, safeUrl } from "../http/transport.ts";
import { parseJsonObject } from "../wire/parse-json.ts";

/** A service of a cloud did not give what it was asked for. */
export class CloudError extends Error {
  override readonly name = "CloudError";
  readonly status: number;

  constructor(url: URL, status: number) {
    super(`${safeUrl(url)} answers ${status}`);
    this.status = status;
  }
}

/** What a service is asked. */
export type CloudRequest = Pick<HttpRequest, "method" | "url" | "headers" | "body">;

const timeoutMs = 5_000;

/** The text that a service answers. Rejects with CloudError where that is no success. */
export async function askCloud(
  request: CloudRequest,
  transport: HttpTransport,
  signal: AbortSignal,
): Promise<string> {
  const limit = AbortSignal.timeout(timeoutMs);
  const answer = await transport.send({
    ...request,
    maxBytes: registryLimits.smallAnswer,
    signal: AbortSignal.any([signal, limit]),
  });
  if (answer.status < 200 || answer.status > 299) {
    throw new CloudError(request.url, answer.status);
  }
  return Buffer.from(answer.body).toString("utf8");
}

/** The JSON object that a service answers. */
export async function askCloudForJson(
  request: CloudRequest,
  transport: HttpTransport,
  signal: AbortSignal,
): Promise<JsonObject> {
  return parseJsonObject(await askCloud(request, transport, signal), `the answer of ${safeUrl(request.url)}`);
}

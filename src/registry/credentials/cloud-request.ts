import { type Clock, Deadline, type JsonObject, registryLimits, TimeoutError } from "@weir/base";
import { type HttpRequest, type HttpTransport, safeUrl } from "../http/transport.ts";
import { parseJsonObject } from "../wire/parse-json.ts";

/** A cloud service responded with an error. */
export class CloudError extends Error {
  override readonly name = "CloudError";
  readonly status: number;

  constructor(url: URL, status: number) {
    super(`${safeUrl(url)} responded with status ${status}`);
    this.status = status;
  }
}

/** The request to send to a service. */
export type CloudRequest = Pick<HttpRequest, "method" | "url" | "headers" | "body">;

/** How requests reach a service, and the clock that limits how long they take. */
export interface CloudAccess {
  readonly transport: HttpTransport;
  readonly clock: Clock;
}

/** How long to wait for a response. */
const timeoutMs = 5_000;

/**
 * Sends a request and returns the text of the response. Rejects with CloudError for a response that isn't a success,
 * and with TimeoutError after five seconds.
 */
export async function askCloud(
  request: CloudRequest,
  { transport, clock }: CloudAccess,
  signal: AbortSignal,
): Promise<string> {
  const late = (): Error =>
    new TimeoutError(`no response from ${safeUrl(request.url)} within ${timeoutMs / 1000} seconds`);
  using limit = new Deadline(clock, timeoutMs, signal, late);
  const answer = await transport.send({
    ...request,
    maxBytes: registryLimits.smallAnswer,
    signal: limit.signal,
  });
  if (answer.status < 200 || answer.status > 299) {
    throw new CloudError(request.url, answer.status);
  }
  return Buffer.from(answer.body).toString("utf8");
}

/** Sends a request and returns the JSON object in the response. */
export async function askCloudForJson(
  request: CloudRequest,
  access: CloudAccess,
  signal: AbortSignal,
): Promise<JsonObject> {
  return parseJsonObject(await askCloud(request, access, signal), `the response of ${safeUrl(request.url)}`);
}

import { type Clock, Deadline, type JsonObject, registryLimits, TimeoutError } from "@weir/base";
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

/** How requests reach a service, and the clock that limits how long they take. */
export interface CloudAccess {
  readonly transport: HttpTransport;
  readonly clock: Clock;
}

/** Milliseconds that a response may take. */
const timeoutMs = 5_000;

/** The text that a service answers. Rejects with CloudError where that is no success. */
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

/** The JSON object that a service answers. */
export async function askCloudForJson(
  request: CloudRequest,
  access: CloudAccess,
  signal: AbortSignal,
): Promise<JsonObject> {
  return parseJsonObject(await askCloud(request, access, signal), `the answer of ${safeUrl(request.url)}`);
}

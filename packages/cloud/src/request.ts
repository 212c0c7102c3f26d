import { type Clock, cloudLimits, Deadline, type JsonObject, TimeoutError } from "@weir/base";
import {
  type HttpAnswer,
  type HttpRequest,
  type HttpTransport,
  parseJsonObject,
  retryAfterMs,
  safeUrl,
} from "@weir/http";

/** A cloud service responded with an error. */
export class CloudError extends Error {
  override readonly name = "CloudError";
  readonly status: number;
  /** How long the service asks to wait, in milliseconds; 0 if it doesn't say. */
  readonly waitMs: number;
  readonly #answer: string;

  constructor(url: URL, { status, answer = "", waitMs = 0 }: Refusal) {
    super(`${safeUrl(url)} responded with status ${status}`);
    this.status = status;
    this.waitMs = waitMs;
    this.#answer = answer;
  }

  /** The text of the response, for finding the reason. It can contain anything, so it must not be shown as it is. */
  get answer(): string {
    return this.#answer;
  }
}

/** A response that isn't a success. */
interface Refusal {
  readonly status: number;
  readonly answer?: string;
  readonly waitMs?: number;
}

/** The request to send to a service. */
export type CloudRequest = Pick<HttpRequest, "method" | "url" | "headers" | "body" | "insecure">;

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
    maxBytes: cloudLimits.answer,
    signal: limit.signal,
  });
  const text = textOf(answer);
  if (answer.status < 200 || answer.status > 299) {
    const waitMs = retryAfterMs(answer.header("retry-after"), clock.now());
    throw new CloudError(request.url, { status: answer.status, answer: text, waitMs });
  }
  return text;
}

/** Sends a request and returns the JSON object in the response. */
export async function askCloudForJson(
  request: CloudRequest,
  access: CloudAccess,
  signal: AbortSignal,
): Promise<JsonObject> {
  return parseJsonObject(await askCloud(request, access, signal), `the response of ${safeUrl(request.url)}`);
}

function textOf({ body }: HttpAnswer): string {
  return Buffer.from(body).toString("utf8");
}

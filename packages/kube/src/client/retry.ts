import { type BackoffPolicy, backoffDelay } from "@weir/base";
import type { RestRequest } from "../rest/rest.ts";
import { ConnectionError } from "../rest/transport.ts";

/** How many times a request is attempted before its failure is passed on. */
const maxTries = 5;
/** For a probe: a connection may have been lost long before it was used. */
const maxProbes = 2;
/** If a server asks for a longer wait than this, don't retry: the caller knows better what to do. */
const longestWaitMs = 30_000;
const backoff: BackoffPolicy = { initialMs: 100, maxMs: 2_000, factor: 2, jitter: 0.5 };

/** The parts of an error response that matter for retries. */
export interface Refusal {
  readonly status: number;
  /** The Retry-After header as received. */
  readonly retryAfter: string | undefined;
}

/**
 * How long to wait before retrying after an error response, in milliseconds; undefined: don't retry. 429
 * means that the server did nothing. Other server errors are retried only if the server specifies a time,
 * like in client-go; a write is retried only after 503, which the server sends before it starts.
 */
export function waitAfterRefusal(
  { method, isProbe = false }: Pick<RestRequest, "method" | "isProbe">,
  refusal: Refusal,
  { tries, random }: { readonly tries: number; readonly random?: () => number },
): number | undefined {
  const { status } = refusal;
  const safe =
    status === 429 ||
    (status >= 500 && refusal.retryAfter !== undefined && (method === "GET" || status === 503));
  if (!safe || isProbe || tries >= maxTries) {
    return undefined;
  }
  const named = Number.parseInt(refusal.retryAfter ?? "", 10) * 1000;
  const wait = Number.isNaN(named) ? backoffDelay(backoff, tries, random) : named;
  return wait > longestWaitMs ? undefined : wait;
}

/**
 * Whether to retry after no response arrived: a read can be repeated, and so can a request that certainly
 * wasn't sent. Any other request may have taken effect. If the server has lost as many connections in a row
 * as there are attempts, one attempt is enough.
 */
export function mayTryAfterLoss(
  { method, isProbe = false }: Pick<RestRequest, "method" | "isProbe">,
  error: unknown,
  { tries, failures }: { readonly tries: number; readonly failures: number },
): boolean {
  const most = isProbe ? maxProbes : maxTries;
  return (
    error instanceof ConnectionError && (method === "GET" || !error.sent) && tries < most && failures < most
  );
}

import { type BackoffPolicy, backoffDelay } from "@weir/base";
import type { RestRequest } from "../rest/rest.ts";
import { ConnectionError } from "../rest/transport.ts";

/** How often a request is tried before its failure is passed on. */
const maxTries = 5;
/** A probe: a connection may have been lost long before it was used. */
const maxProbes = 2;
/** A server that names a longer wait than this is not waited for: the caller knows better what to do. */
const longestWaitMs = 30_000;
const backoff: BackoffPolicy = { initialMs: 100, maxMs: 2_000, factor: 2, jitter: 0.5 };

/** An answer that asks to come again, as far as retrying is concerned. */
export interface Refusal {
  readonly status: number;
  /** The header Retry-After as the server sent it. */
  readonly retryAfter: string | undefined;
}

/**
 * How long to wait before the request is tried again after an answer, in milliseconds; undefined: not at all.
 * 429 means that the server did nothing. Other server errors are tried again only where it names a time, as
 * client-go does, and of those a write only after 503, which it gives before it begins.
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
 * Whether the request is tried again after no answer came: a read can be sent again, and so can what surely was not
 * sent at all. Anything else may have been done. Where the server has lost as many connections in a row as there are
 * tries, one try is enough.
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

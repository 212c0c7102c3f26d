import type { Fault } from "./fault.ts";

/** A response of a server, or of a load balancer in front of it. */
export interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const reasons = {
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
  504: "Timeout",
} as const;

const messages = {
  429: "the server has received too many requests and has asked us to try again later",
  500: "Internal error occurred: etcdserver: request timed out",
  503: "apiserver is shutting down",
  504: "Timeout: request did not complete within the allotted timeout",
} as const;

/** The response of a server that refuses a request. */
export function refusalFor({ status, retryAfter, isPlain }: Extract<Fault, { kind: "refused" }>): Refusal {
  const wait: Readonly<Record<string, string>> =
    retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  return isPlain
    ? { status, headers: { ...wait, "content-type": "text/plain" }, body: "upstream connect error\n" }
    : answer(status, reasons[status], messages[status], wait);
}

/** 410, for a page of a list or for the start of a watch. */
export function expiry(): Refusal {
  return answer(
    410,
    "Expired",
    "The provided continue parameter is too old to display a consistent list result.",
  );
}

/** The last line of a watch whose version is too old, or whose server has failed. */
export function errorLine(how: "expired" | "failed"): string {
  const object =
    how === "expired"
      ? statusOf(410, "Expired", "too old resource version: 1 (2)")
      : statusOf(500, reasons[500], messages[500]);
  return `${JSON.stringify({ type: "ERROR", object })}\n`;
}

function answer(
  status: number,
  reason: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Refusal {
  const body = JSON.stringify(statusOf(status, reason, message));
  return { status, headers: { ...headers, "content-type": "application/json" }, body };
}

function statusOf(code: number, reason: string, message: string): object {
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message, reason, code };
}

import { isWithoutTls } from "@weir/base";

/** A request got no usable response; the message is that of Flux v1's client. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  /** Of the response; undefined if there was none, or if it can't be decoded. */
  readonly status: number | undefined;

  constructor(message: string, options: ErrorOptions & { readonly status?: number } = {}) {
    super(message, options);
    this.status = options.status;
  }
}

/** The destination of a request, as shown in errors. */
export interface Target {
  readonly method: string;
  readonly url: URL;
}

/** A request couldn't be sent, or its response ended early. The message is that of Go's HTTP client. */
export function transportError({ method, url }: Target, cause: unknown): RequestError {
  const verb = method.charAt(0) + method.slice(1).toLowerCase();
  const message = `${verb} "${withoutPassword(url)}": ${reasonOf(cause)}`;
  return new RequestError(`executing HTTP request: executing HTTP request: ${message}`, { cause });
}

function withoutPassword(url: URL): string {
  const shown = new URL(url);
  if (shown.password !== "") {
    shown.password = "***";
  }
  return shown.href;
}

/** The system's error for each connection attempt; a name can have several addresses. */
export function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError) {
    return reasonOf(cause.errors.at(-1));
  }
  if (!(cause instanceof Error)) {
    return String(cause);
  }
  if (isWithoutTls(cause)) {
    return "http: server gave HTTP response to HTTPS client";
  }
  const dialed = dialReasons.get(codeOf(cause));
  if (dialed !== undefined && "address" in cause && "port" in cause) {
    return `dial tcp ${hostAndPort(String(cause.address), String(cause.port))}: connect: ${dialed}`;
  }
  if (codeOf(cause) === "ENOTFOUND" && "hostname" in cause) {
    return `dial tcp: lookup ${String(cause.hostname)}: no such host`;
  }
  return codeOf(cause) === "ECONNRESET" ? "EOF" : cause.message;
}

const dialReasons: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", "connection refused"],
  ["ETIMEDOUT", "connection timed out"],
  ["EHOSTUNREACH", "no route to host"],
  ["ENETUNREACH", "network is unreachable"],
]);

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}

function hostAndPort(host: string, port: string): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

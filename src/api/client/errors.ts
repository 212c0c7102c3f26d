/** A request got no answer that can be used; the message is the one that Flux v1's client gives. */
export class RequestError extends Error {
  override readonly name = "RequestError";
}

/** Where a request was to go, as far as an error may tell of it. */
export interface Target {
  readonly method: string;
  readonly url: URL;
}

/** A request that could not be sent or whose answer broke off, in the words of Go's HTTP client. */
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

/** What the system said of each attempt to connect; a name may have several addresses. */
export function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError) {
    return reasonOf(cause.errors.at(-1));
  }
  if (!(cause instanceof Error)) {
    return String(cause);
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

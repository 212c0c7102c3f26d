/** The URLs of an upstream, derived from the base address in --connect. */
export interface UpstreamEndpoints {
  /** The base address as shown in the metric: with a websocket scheme and without a password. */
  readonly target: string;
  /** Of the websocket. */
  readonly daemon: URL;
  /** Where events are posted. */
  readonly events: URL;
}

const webSocketScheme: ReadonlyMap<string, string> = new Map([
  ["ws:", "ws:"],
  ["wss:", "wss:"],
  ["http:", "ws:"],
  ["https:", "wss:"],
]);
const httpScheme: ReadonlyMap<string, string> = new Map([
  ["ws:", "http:"],
  ["wss:", "https:"],
]);

/**
 * As Flux v1: uses ws for http and wss for https, and vice versa; appends the paths and ignores the query of
 * the base address. Throws EndpointError.
 */
export function inferEndpoints(base: string): UpstreamEndpoints {
  const given = /^([a-z][a-z0-9+.-]*):/i.exec(base)?.[1]?.toLowerCase() ?? "";
  const scheme = webSocketScheme.get(`${given}:`);
  if (scheme === undefined) {
    throw new EndpointError(`inferring WS/HTTP endpoints: unsupported scheme ${given}`);
  }
  if (!URL.canParse(base)) {
    throw new EndpointError(`inferring WS/HTTP endpoints: what follows ${given}: is not a valid address`);
  }
  const url = new URL(base);
  return {
    target: base.replace(/^[a-z]+:/i, scheme).replace(/(\/\/[^/@:]*):[^/@]*@/, "$1@"),
    daemon: below(url, scheme, "v11/daemon"),
    events: below(url, httpScheme.get(url.protocol) ?? url.protocol, "v6/events"),
  };
}

/** --connect isn't a valid address; of its value, the message shows only the scheme. */
export class EndpointError extends Error {
  override readonly name = "EndpointError";
}

/** A URL as it can be logged. */
export function safeUrl(url: URL): string {
  const shown = new URL(url);
  shown.password = "";
  return shown.href;
}

function below(base: URL, scheme: string, path: string): URL {
  const url = new URL(base);
  url.protocol = scheme;
  url.pathname = `${url.pathname}/${path}`.replaceAll(/\/{2,}/g, "/");
  url.search = "";
  url.hash = "";
  return url;
}

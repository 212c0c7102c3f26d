/**
 * Prevents web pages from using the API through the browser of somebody who can reach it.
 *
 * A page can neither omit nor forge the headers that identify a browser: `Sec-Fetch-Site` if the URL begins with https:
 * or names this machine, `Origin` on all requests that may change something, and `Accept-Language` on every request.
 * (Node's fetch also sends `Accept-Language`, but with `Sec-Fetch-Mode` and without `Sec-Fetch-Site`, which no browser
 * does.)
 *
 * - A request from a page of another origin is refused; a page of the same origin is allowed.
 * - A page that points its own host name to fluxd (DNS rebinding) has the same origin, so the host must be known.
 * - An address that somebody typed or bookmarked can be read under any host if the browser says that it was typed: no
 *   page can cause such a request, and none can read the response.
 *
 * This depends on two facts: no GET request changes anything, and CORS is never granted.
 *
 * Programs must use a known host name too, in case a browser can't be recognized by its headers. Under any other name,
 * only identifiable clients are allowed: fluxctl and other users of Flux v1's client, probes, Prometheus, and requests
 * that a reverse proxy forwards and marks as such. A page could imitate these, but not without the headers of a browser.
 */
import type { IncomingHttpHeaders } from "node:http";
import { apiBasePath, routes } from "@weir/flux/api";
import { type KnownHosts, tidyHost } from "./known-hosts.ts";

/** The parts of a request that the decision depends on. */
export interface JudgedRequest {
  readonly method: string;
  /** Can include a query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** Why a request is refused, as a message for the sender; undefined if it's allowed. */
export function refusalOf(request: JudgedRequest, hosts: KnownHosts): string | undefined {
  const { headers } = request;
  if (isHarmless(request)) {
    return undefined;
  }
  return isFromBrowser(headers) ? refusalOfBrowser(request, hosts) : refusalOfProgram(request, hosts);
}

function refusalOfBrowser(request: JudgedRequest, hosts: KnownHosts): string | undefined {
  const { host = "" } = request.headers;
  if (!hosts.isOurs(host)) {
    return unknownName("a browser", host);
  }
  if (!isSameOrigin(request, host, hosts)) {
    return "pages of other origins may not use the API; if a reverse proxy changes the Host header, start fluxd with --listen-host=<the name that browsers use>";
  }
  return undefined;
}

function refusalOfProgram({ url, headers }: JudgedRequest, hosts: KnownHosts): string | undefined {
  const { host } = headers;
  const isKnown = host === undefined || host === "" || hosts.isOurs(host) || hosts.isNeighbour(host);
  return isKnown || showsWhatItIs(headers) || pathOf(url) === "/metrics"
    ? undefined
    : unknownName("a program", host);
}

function unknownName(who: string, host: string): string {
  return `${who} used the host name ${JSON.stringify(tidyHost(host))}, which is not known to belong to fluxd; if it does, start fluxd with --listen-host=<name>`;
}

const knownPrograms = /^(?:Go-http-client|fluxctl|kube-probe|Prometheus)\//;

/** Headers that reverse proxies add, including the API server's proxy. */
const signsOfProxy = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"];

function showsWhatItIs(headers: IncomingHttpHeaders): boolean {
  return (
    knownPrograms.test(headers["user-agent"] ?? "") ||
    signsOfProxy.some((name) => headers[name] !== undefined)
  );
}

const signs = ["sec-fetch-site", "origin", "referer", "accept-language", "upgrade-insecure-requests"];

/** Not "Mozilla": PowerShell and monitoring services send that too. */
const browserEngine = /\b(?:AppleWebKit|Gecko|Trident|Presto)\//;

function isFromBrowser(headers: IncomingHttpHeaders): boolean {
  const isNodes = headers["sec-fetch-mode"] !== undefined && headers["sec-fetch-site"] === undefined;
  return (
    (!isNodes && signs.some((name) => headers[name] !== undefined)) ||
    headers.origin !== undefined ||
    browserEngine.test(headers["user-agent"] ?? "")
  );
}

/**
 * Requests that only a person can have made, and pings, which return nothing and come from all kinds of
 * probes.
 */
function isHarmless(request: JudgedRequest): boolean {
  return (
    isReading(request) &&
    (request.headers["sec-fetch-site"] === "none" || pathOf(request.url) === apiBasePath + routes.ping.path)
  );
}

function pathOf(url: string): string | undefined {
  return url.split("?", 1)[0];
}

function isReading({ method }: JudgedRequest): boolean {
  return method === "GET" || method === "HEAD";
}

/**
 * If there is neither Sec-Fetch-Site nor Origin, the request may come from an old browser, which identifies
 * the page by its Referer.
 */
function isSameOrigin(request: JudgedRequest, host: string, hosts: KnownHosts): boolean {
  const { origin, referer, "sec-fetch-site": site } = request.headers;
  if (site === "same-origin" || site === "cross-site") {
    return site === "same-origin";
  }
  if (origin !== undefined) {
    return isOf(origin, host, hosts);
  }
  return site !== "same-site" && (isReading(request) || referer === undefined || isOf(referer, host, hosts));
}

/** True for a page of the requested host or of a listed one: a proxy may change the host or port. */
function isOf(page: string, host: string, hosts: KnownHosts): boolean {
  const of = URL.canParse(page) ? new URL(page) : undefined;
  const asked = `${of?.protocol ?? ""}//${host}`;
  return (
    of !== undefined &&
    of.host !== "" &&
    (hosts.isListed(of.hostname) || (URL.canParse(asked) && new URL(asked).host === of.host))
  );
}

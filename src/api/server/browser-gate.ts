/**
 * Keeps pages of the web from using the API through the browser of somebody who can reach it.
 *
 * A page can neither leave out nor forge what betrays a browser: `Sec-Fetch-Site` where the URL begins with https: or
 * names this machine, `Origin` with all that may change something, `Accept-Language` with everything. (Node's fetch
 * sends `Accept-Language` too, but `Sec-Fetch-Mode` without `Sec-Fetch-Site`, as no browser does.)
 *
 * - A request from a page of another origin is refused; a page of the same origin passes.
 * - A page that leads a name of its own to us (DNS rebinding) is of the same origin, so the host must be known.
 * - What somebody typed or bookmarked may be read under any host where the browser says that it was so: no page can
 *   have caused that, and none can read the answer.
 *
 * For this to hold, nothing that is asked for with GET changes anything, and CORS is granted to nobody.
 *
 * Programs need a name that is known to be fluxd's, too, should there be a browser that betrays itself by nothing.
 * Under any other name pass only those that show what they are: fluxctl and what else Flux v1's client is part of,
 * probes, Prometheus, and whatever a reverse proxy sends on, which tells for whom. A page could claim that as well, but
 * not without the signs of a browser.
 */
import type { IncomingHttpHeaders } from "node:http";
import { apiBasePath, routes } from "../types/routes.ts";
import { type KnownHosts, tidyHost } from "./known-hosts.ts";

/** The part of a request that is judged. */
export interface JudgedRequest {
  readonly method: string;
  /** May have a query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** Why a request is refused, in words for whoever sent it; undefined where it may pass. */
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
    return "pages of other origins may not use the API; if a reverse proxy changes the Host, start fluxd with --listen-host=<the name that browsers ask for>";
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
  return `${who} asked for ${JSON.stringify(tidyHost(host))}, a name that is not known to be fluxd's; if it is, start fluxd with --listen-host=<name>`;
}

const knownPrograms = /^(?:Go-http-client|fluxctl|kube-probe|Prometheus)\//;

/** What reverse proxies add, the API server's among them. */
const signsOfProxy = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"];

function showsWhatItIs(headers: IncomingHttpHeaders): boolean {
  return (
    knownPrograms.test(headers["user-agent"] ?? "") ||
    signsOfProxy.some((name) => headers[name] !== undefined)
  );
}

const signs = ["sec-fetch-site", "origin", "referer", "accept-language", "upgrade-insecure-requests"];

/** Not "Mozilla": PowerShell and monitoring services say that, too. */
const browserEngine = /\b(?:AppleWebKit|Gecko|Trident|Presto)\//;

function isFromBrowser(headers: IncomingHttpHeaders): boolean {
  const isNodes = headers["sec-fetch-mode"] !== undefined && headers["sec-fetch-site"] === undefined;
  return (
    (!isNodes && signs.some((name) => headers[name] !== undefined)) ||
    headers.origin !== undefined ||
    browserEngine.test(headers["user-agent"] ?? "")
  );
}

/** What a person asked for alone, and pings, which answer nothing and come from probes of all kinds. */
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

/** Where neither Sec-Fetch-Site nor Origin was sent, old browsers tell by the Referer who changes something. */
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

/** True for a page of the host that was asked, or of a listed one: a proxy may change Host or port. */
function isOf(page: string, host: string, hosts: KnownHosts): boolean {
  const of = URL.canParse(page) ? new URL(page) : undefined;
  const asked = `${of?.protocol ?? ""}//${host}`;
  return (
    of !== undefined &&
    of.host !== "" &&
    (hosts.isListed(of.hostname) || (URL.canParse(asked) && new URL(asked).host === of.host))
  );
}

/** Where a response redirects to, and whether to send credentials there. Pure. */

/** The parts of a response that concern redirects. */
export interface RedirectAnswer {
  readonly status: number;
  /** The header; "" if it's missing. */
  readonly location: string;
}

/** How to handle a response. */
export type Redirect =
  | { readonly kind: "none" }
  /** Send the request again there, with credentials only if it's the same server. */
  | { readonly kind: "follow"; readonly url: URL; readonly sameServer: boolean }
  | { readonly kind: "refuse"; readonly why: string };

/** The most redirects in a row. Go allows ten too. */
export const maxRedirects = 10;

const statuses: readonly number[] = [301, 302, 303, 307, 308];

/** Decides about a redirect. A redirect from HTTPS to HTTP is followed only if the user allows the host without TLS. */
export function redirectOf(from: URL, { status, location }: RedirectAnswer, insecure: boolean): Redirect {
  if (!statuses.includes(status)) {
    return { kind: "none" };
  }
  const url = location === "" ? null : URL.parse(location, from.href);
  if (url === null) {
    return { kind: "refuse", why: "the registry sends a redirect without a valid location" };
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return { kind: "refuse", why: "the registry redirects to a URL that isn't http or https" };
  }
  if (from.protocol === "https:" && url.protocol === "http:" && !insecure) {
    return { kind: "refuse", why: `the registry redirects from HTTPS to HTTP (${url.host})` };
  }
  url.username = "";
  url.password = "";
  return { kind: "follow", url, sameServer: url.origin === from.origin };
}

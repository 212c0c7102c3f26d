/** Where an answer sends us on to, and with how much trust. Pure. */

/** As far as it redirects. */
export interface RedirectAnswer {
  readonly status: number;
  /** The header; "" where it is missing. */
  readonly location: string;
}

/** What to make of an answer. */
export type Redirect =
  | { readonly kind: "none" }
  /** Asked again there; who we are is told only to the same server. */
  | { readonly kind: "follow"; readonly url: URL; readonly sameServer: boolean }
  | { readonly kind: "refuse"; readonly why: string };

/** So many in a row; Go gives up after ten. */
export const maxRedirects = 10;

const statuses: readonly number[] = [301, 302, 303, 307, 308];

/** Judges a redirect; from https to http it is followed only where the user trusts the host without TLS. */
export function redirectOf(from: URL, { status, location }: RedirectAnswer, insecure: boolean): Redirect {
  if (!statuses.includes(status)) {
    return { kind: "none" };
  }
  const url = location === "" ? null : URL.parse(location, from.href);
  if (url === null) {
    return { kind: "refuse", why: "the registry redirects to nowhere" };
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return { kind: "refuse", why: "the registry redirects to what is no web server" };
  }
  if (from.protocol === "https:" && url.protocol === "http:" && !insecure) {
    return { kind: "refuse", why: `the registry redirects from https to http (${url.host})` };
  }
  url.username = "";
  url.password = "";
  return { kind: "follow", url, sameServer: url.origin === from.origin };
}

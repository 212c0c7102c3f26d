/** The value of a cookie in a request's Cookie header; undefined if it's missing, or there more than once. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const values = (header ?? "")
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1));
  return values.length === 1 ? values[0] : undefined;
}

/** Where people reach the console: it decides what browsers may do with its cookies. */
export interface CookieScope {
  readonly isOverTls: boolean;
}

/**
 * The name of the session's cookie. Over TLS, the prefix makes browsers refuse one that a neighbouring host, or a page
 * without TLS, has set.
 */
export function sessionCookieName({ isOverTls }: CookieScope): string {
  return isOverTls ? "__Host-weir-session" : "weir-session";
}

/** The Set-Cookie header of a session; `undefined` removes it. No script can read the cookie, and no other site sends it. */
export function sessionCookie(secret: string | undefined, scope: CookieScope): string {
  return [
    `${sessionCookieName(scope)}=${secret ?? ""}`,
    "Path=/",
    "HttpOnly",
    "SameSite=Lax",
    ...(scope.isOverTls ? ["Secure"] : []),
    ...(secret === undefined ? ["Max-Age=0"] : []),
  ].join("; ");
}

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

/** The name of the cookie of a browser that is about to log in at an identity provider. */
export function loginCookieName({ isOverTls }: CookieScope): string {
  return isOverTls ? "__Host-weir-login" : "weir-login";
}

/** The Set-Cookie header of a session; `undefined` removes it. No script can read the cookie, and no other site sends it. */
export function sessionCookie(secret: string | undefined, scope: CookieScope): string {
  return setCookie(
    sessionCookieName(scope),
    { value: secret ?? "", ...(secret === undefined ? { seconds: 0 } : {}) },
    scope,
  );
}

/** The Set-Cookie header of a browser that is about to log in, for so many seconds. */
export function loginCookie(secret: string, seconds: number, scope: CookieScope): string {
  return setCookie(loginCookieName(scope), { value: secret, seconds }, scope);
}

function setCookie(
  name: string,
  { value, seconds }: { readonly value: string; readonly seconds?: number },
  { isOverTls }: CookieScope,
): string {
  return [
    `${name}=${value}`,
    "Path=/",
    "HttpOnly",
    "SameSite=Lax",
    ...(isOverTls ? ["Secure"] : []),
    ...(seconds === undefined ? [] : [`Max-Age=${seconds}`]),
  ].join("; ");
}

import { isJsonObject } from "@weir/base";

/**
 * Whether an ID token is over at `now`, in milliseconds since the epoch. One that does not say when it ends is good for
 * ever, one that cannot be read never is. Who signed it is for the API server to check.
 */
export function isExpired(idToken: string, now: number): boolean {
  const claims = claimsOf(idToken);
  const end = isJsonObject(claims) ? (claims["exp"] ?? Infinity) : undefined;
  return typeof end !== "number" || now / 1000 > end;
}

function claimsOf(idToken: string): unknown {
  const [, claims, signature, ...rest] = idToken.split(".");
  if (claims === undefined || signature === undefined || rest.length > 0) {
    return undefined;
  }
  try {
    return JSON.parse(Buffer.from(claims, "base64url").toString("utf8")) as unknown;
  } catch {
    return undefined;
  }
}

import { createHmac } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { isSameSecret } from "@weir/base";
import { Problem } from "../problem/problem.ts";

/** The header that each change by a page needs. */
export const csrfHeader = "x-csrf-token";

/** The token of a session, which only pages of the console can read. */
export function csrfToken({ id, csrfSecret }: { readonly id: string; readonly csrfSecret: string }): string {
  return createHmac("sha256", csrfSecret).update(id).digest("base64url");
}

/** Methods that change nothing. */
const harmless: readonly string[] = ["GET", "HEAD", "OPTIONS"];

/**
 * Refuses a change that another site lets a browser send with the cookie of the session: the token must be there, and
 * what browsers say of the sender must not speak against it. Throws a Problem.
 */
export function checkNotForged(
  { method, headers }: { readonly method: string; readonly headers: IncomingHttpHeaders },
  expected: string,
): void {
  if (harmless.includes(method)) {
    return;
  }
  const site = headers["sec-fetch-site"];
  const isFromElsewhere = site !== undefined && site !== "same-origin" && site !== "none";
  const given = headers[csrfHeader];
  if (isFromElsewhere || typeof given !== "string" || !isSameSecret(given, expected)) {
    throw new Problem("forbidden", "This change didn't come from a page of the console.", {
      remedy: "Reload the page. Programs send an API token as `Authorization: Bearer …` instead of a cookie.",
    });
  }
}

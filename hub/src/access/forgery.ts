import type { IncomingHttpHeaders } from "node:http";
import { isSameSecret } from "@weir/base";
import { Problem } from "../problem/problem.ts";
import { derivedSecret } from "./secrets.ts";

/** The header that each change by a page needs. */
export const csrfHeader = "x-csrf-token";

/** The token that belongs to the cookie of a session, and that only pages of the console can read. */
export function csrfToken(sessionSecret: string): string {
  return derivedSecret(sessionSecret, "csrf");
}

/** Methods that change nothing. */
const harmless: readonly string[] = ["GET", "HEAD", "OPTIONS"];

/**
 * Refuses a change that another site lets a browser send: the token of the session must be there, if there's one, and
 * what browsers say of the sender must not speak against it. Throws a Problem.
 */
export function checkNotForged(
  { method, headers }: { readonly method: string; readonly headers: IncomingHttpHeaders },
  expected: string | undefined,
): void {
  if (harmless.includes(method)) {
    return;
  }
  const site = headers["sec-fetch-site"];
  const isFromElsewhere = site !== undefined && site !== "same-origin" && site !== "none";
  const given = headers[csrfHeader];
  const isKnown = expected === undefined || (typeof given === "string" && isSameSecret(given, expected));
  if (isFromElsewhere || !isKnown) {
    throw new Problem("forbidden", "This change didn't come from a page of the console.", {
      advice: "Reload the page. Programs send an API token as `Authorization: Bearer …` instead of a cookie.",
    });
  }
}

import { isWithoutTls } from "@weir/base";
import { suggest, UnknownFlagError } from "@weir/cli";
import { apiBasePath } from "@weir/flux/api";
import { RequestError } from "@weir/flux/client";
import type { GlobalFlags } from "../flags/globals.ts";

/** What a person can do about an error, shown only on a terminal; empty if that's obvious. */
export function adviceOn(error: unknown, globals: GlobalFlags): readonly string[] {
  if (error instanceof UnknownFlagError) {
    return didYouMean(suggest(error.flag, error.known).map((name) => `--${name}`));
  }
  if (error instanceof RequestError) {
    return adviceOnRequest(error, globals);
  }
  return adviceIn(error);
}

/** A line that asks what was meant; empty without suggestions. */
export function didYouMean(suggestions: readonly string[]): readonly string[] {
  return suggestions.length === 0 ? [] : [`Did you mean ${suggestions.join(" or ")}?`];
}

/** Doesn't check the class: modules that are loaded on demand have their own classes. */
function adviceIn(error: unknown): readonly string[] {
  if (!(error instanceof Error)) {
    return [];
  }
  const lines: unknown = "advice" in error ? error.advice : undefined;
  return Array.isArray(lines) ? lines.map(String) : adviceIn(error.cause);
}

function adviceOnRequest({ cause, status }: RequestError, { url, token }: GlobalFlags): readonly string[] {
  if (url.value !== "" && isWithoutTls(cause)) {
    return [
      `The server speaks HTTP, not HTTPS. Use --url=${shownUrl(url.value).replace(/^https:/i, "http:")} (or FLUX_URL).`,
    ];
  }
  if (url.value !== "" && status === 404) {
    return adviceOnPath(url.value);
  }
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (typeof code !== "string" || !unreachable.includes(code)) {
    return [];
  }
  if (url.value !== "") {
    return [
      "Nothing is listening there. Make sure that fluxd is running and that --url (or FLUX_URL) is correct, e.g. http://localhost:3030/api/flux.",
      "Without a URL, fluxctl finds fluxd's pod through the cluster.",
    ];
  }
  return token.value === ""
    ? ["fluxctl found the pod, but fluxd does not respond. Check the pod's log."]
    : [
        "With a token but no --url, fluxctl connects to Weave Cloud. Use --url to specify the address of fluxd.",
      ];
}

/** The API is at another path than fluxctl was told, or at another address. */
function adviceOnPath(text: string): readonly string[] {
  const url = URL.parse(text);
  if (url === null || url.pathname.replace(/\/+$/, "").endsWith(apiBasePath)) {
    return ["This doesn't look like fluxd. Make sure that --url (or FLUX_URL) is correct."];
  }
  url.pathname = apiBasePath;
  url.search = "";
  return didYouMean([shownUrl(url.href)]);
}

/** Without a password. */
function shownUrl(url: string): string {
  return url.replace(/\/\/[^@/]*@/, "//***@");
}

/** The error codes for an address where nothing responds. */
const unreachable = ["ECONNREFUSED", "ECONNRESET", "EHOSTUNREACH", "ENETUNREACH", "ENOTFOUND", "ETIMEDOUT"];

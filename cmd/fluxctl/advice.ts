import { suggest, UnknownFlagError } from "@weir/cli";
import { RequestError } from "../../src/api/client/errors.ts";
import type { GlobalFlags } from "./globals.ts";

/** What an error may tell beside its message, which stays what Flux v1 says. */
export interface Told {
  /** What led to it and what to do next, in lines that only a person before a screen is told. */
  readonly advice?: readonly string[];
}

/** What a person can do about an error; nothing where that goes without saying. */
export function adviceOn(error: unknown, globals: GlobalFlags): readonly string[] {
  if (error instanceof UnknownFlagError) {
    return didYouMean(suggest(error.flag, error.known).map((name) => `--${name}`));
  }
  if (error instanceof RequestError) {
    return adviceOnRequest(error, globals);
  }
  return adviceIn(error);
}

/** A question after what was meant, in a line; none without suggestions. */
export function didYouMean(suggestions: readonly string[]): readonly string[] {
  return suggestions.length === 0 ? [] : [`Did you mean ${suggestions.join(" or ")}?`];
}

/** Not by class: what is loaded on demand has classes of its own. */
function adviceIn(error: unknown): readonly string[] {
  if (!(error instanceof Error)) {
    return [];
  }
  const lines: unknown = "advice" in error ? error.advice : undefined;
  return Array.isArray(lines) ? lines.map(String) : adviceIn(error.cause);
}

function adviceOnRequest({ cause }: RequestError, { url, token }: GlobalFlags): readonly string[] {
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

/** What systems say of a place where nobody is. */
const unreachable = ["ECONNREFUSED", "ECONNRESET", "EHOSTUNREACH", "ENETUNREACH", "ENOTFOUND", "ETIMEDOUT"];

/**
 * How git gets at upstream without its password on any command line, where every process of the machine could read
 * it, or in the mirror's configuration. Git asks a credential helper of ours, one line of shell, which prints what
 * stands in two variables. Only git commands that speak with upstream have these in their environment, which nobody
 * but the same user can read. A pipe could be read once only, where git may ask several times; a file would stay on
 * the disk when the process is killed.
 */
import { tokenOf } from "./redact.ts";

/** What git is given in the place of the URL and its credentials. */
export interface UpstreamAccess {
  /** The URL for command lines. */
  readonly url: string;
  /** Settings for commands that speak with upstream, "key=value". */
  readonly config: readonly string[];
  /** Variables for the same commands. */
  readonly environment: Readonly<Record<string, string>>;
}

const userVariable = "WEIR_GIT_USER";
const passwordVariable = "WEIR_GIT_PASSWORD";

/** Git appends what it asks for; the variables hold octal escapes, so that any byte can stand in them. */
const helper = `!f() { test "$1" = get && printf 'username=%b\\npassword=%b\\n' "$${userVariable}" "$${passwordVariable}"; }; f`;

/**
 * The access to a URL. Only passwords of http and https are taken out: git asks for no other ones. As when they stand
 * in the URL, no other helper is asked then, and they go to this scheme, host and port alone, wherever a redirect
 * leads. The user's name stays in the URL, as settings may be made for it, unless it may be a token.
 */
export function upstreamAccess(url: string): UpstreamAccess {
  const parts = /^(https?:\/\/)([^/?#]*)@([^/?#@]*)(.*)$/is.exec(url);
  const [, scheme = "", userinfo = "", host = "", rest = ""] = parts ?? [];
  const colon = userinfo.indexOf(":");
  if (colon < 0) {
    return { url, config: [], environment: {} };
  }
  const [user, password] = [userinfo.slice(0, colon), userinfo.slice(colon + 1)];
  const isPublic =
    user !== "" && password !== "" && password !== "x-oauth-basic" && tokenOf(url).length === 0;
  const key = `credential.${scheme}${host}.helper`;
  return {
    url: `${scheme}${isPublic ? `${user}@` : ""}${host}${rest}`,
    // The empty one takes away all that were configured before.
    config: [`${key}=`, `${key}=${helper}`],
    environment: { [userVariable]: toOctal(user), [passwordVariable]: toOctal(password) },
  };
}

/** True where a credential of the URL holds what git's exchange with helpers cannot carry. */
export function hasUnsayableCredential(url: string): boolean {
  return /^https?:\/\/[^/?#]*%(00|0a|0d)[^/?#]*@/i.test(url);
}

/**
 * True where a password ends before its end, since it holds what ends the host: git would take its beginning for a
 * port, and it would stay on command lines.
 */
export function hasCutPassword(url: string): boolean {
  return /^https?:\/\/[^/?#@[:]*:(?!\d*(?:[/?#]|$))[^@/?#]*[/?#][^@]*@/i.test(url);
}

/** Percent-encoded text as the escapes of `printf %b`. */
function toOctal(encoded: string): string {
  const bytes = Buffer.from(encoded).toString("latin1");
  const decoded = bytes.replace(/%([0-9a-f]{2})/gi, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Array.from(decoded, (char) => `\\0${char.charCodeAt(0).toString(8).padStart(3, "0")}`).join("");
}

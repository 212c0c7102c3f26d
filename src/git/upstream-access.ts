/**
 * Gives git access to upstream without putting the password on a command line, where every process of the machine could
 * read it, or in the mirror's configuration. Git runs our credential helper, one line of shell, which prints two
 * environment variables. Only git commands that contact upstream have these in their environment, which only the same
 * user can read. A pipe could be read only once, but git may ask several times; a file would stay on the disk if the
 * process is killed.
 */
import { tokenOf } from "./redact.ts";

/** What git gets instead of the URL and its credentials. */
export interface UpstreamAccess {
  /** The URL for command lines. */
  readonly url: string;
  /** Settings for commands that contact upstream, as "key=value". */
  readonly config: readonly string[];
  /** Environment variables for the same commands. */
  readonly environment: Readonly<Record<string, string>>;
}

const userVariable = "WEIR_GIT_USER";
const passwordVariable = "WEIR_GIT_PASSWORD";

/** Git appends the operation. The variables contain octal escapes, so that any byte is possible. */
const helper = `!f() { test "$1" = get && printf 'username=%b\\npassword=%b\\n' "$${userVariable}" "$${passwordVariable}"; }; f`;

/**
 * The access to a URL. Only passwords for HTTP and HTTPS are moved to the helper, since git asks for no others. As with
 * passwords in URLs, git then asks no other helper, and sends the password only to this scheme, host, and port, even
 * after a redirect. The user name stays in the URL, because settings may refer to it, unless it may be a token.
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
    // The empty value removes all helpers that are configured elsewhere.
    config: [`${key}=`, `${key}=${helper}`],
    environment: { [userVariable]: toOctal(user), [passwordVariable]: toOctal(password) },
  };
}

/** True if a credential in the URL contains characters that git's helper protocol can't transfer. */
export function hasUnsayableCredential(url: string): boolean {
  return /^https?:\/\/[^/?#]*%(00|0a|0d)[^/?#]*@/i.test(url);
}

/**
 * True if a password is cut short because it contains a character that ends the host. Git would take the start of the
 * password for a port, and it would stay on command lines.
 */
export function hasCutPassword(url: string): boolean {
  return /^https?:\/\/[^/?#@[:]*:(?!\d*(?:[/?#]|$))[^@/?#]*[/?#][^@]*@/i.test(url);
}

/** Converts percent-encoded text to the escapes of `printf %b`. */
function toOctal(encoded: string): string {
  const bytes = Buffer.from(encoded).toString("latin1");
  const decoded = bytes.replace(/%([0-9a-f]{2})/gi, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Array.from(decoded, (char) => `\\0${char.charCodeAt(0).toString(8).padStart(3, "0")}`).join("");
}

import { parseGitUrl } from "./git-url.ts";
import { fromBytes, type GoUrl, printGoUrl, toBytes } from "./go-url.ts";
import { redactorOf, withoutPassword } from "./redact.ts";
import { hasCutPassword, hasUnsayableCredential } from "./upstream-access.ts";

/** Where the repository is: an ssh, https, git or file URL, `user@host:path`, or a local path. */
export interface Remote {
  /** As configured, credentials and all: only git may see it. */
  readonly url: string;
  /** For logs, the API and messages. */
  readonly safeUrl: string;
  /** Takes the credentials of the URL out of any text. */
  readonly redact: (text: string) => string;
}

/** The schemes that git may be run with; `ext::` and its like would run commands. */
const schemes: ReadonlySet<string> = new Set([
  "ssh",
  "git",
  "git+ssh",
  "ssh+git",
  "http",
  "https",
  "ftp",
  "ftps",
  "file",
]);

/** The remote that a URL names. */
export function remoteOf(url: string): Remote {
  const redact = redactorOf(url);
  return { url, safeUrl: redact(fluxSafeUrl(withoutPassword(url))), redact };
}

/**
 * The URL as Flux v1 prints it: with a scheme, without a password. Where it holds a password that Go cannot
 * parse as one, the password is still in it: only for hashing, not for eyes.
 */
export function fluxSafeUrl(url: string): string {
  const parsed = parseGitUrl(toBytes(url));
  return fromBytes(printGoUrl(userOnly(parsed)));
}

/** True where both name the same host and path, whatever the scheme, the user and a `.git` at the end. */
export function isEquivalent(a: string, b: string): boolean {
  const [left, right] = [parseGitUrl(toBytes(a)), parseGitUrl(toBytes(b))];
  return left.host === right.host && barePath(left.path) === barePath(right.path);
}

/** Why git is not run with this URL; undefined where it may be. */
export function whyRefused(url: string): string | undefined {
  if (url.startsWith("-")) {
    return "it starts with a dash";
  }
  if (/[\x00-\x1f\x7f]/.test(url)) {
    return "it holds a control character";
  }
  if (/^[a-zA-Z0-9+.-]+::/.test(url)) {
    return "it names a transport helper";
  }
  if (hasUnsayableCredential(url)) {
    return "its user or password holds a line break or a NUL";
  }
  if (hasCutPassword(url)) {
    return "a /, ? or # in its password has to be written as %2F, %3F or %23";
  }
  const scheme = /^([^:/]*):\/\//.exec(url)?.[1]?.toLowerCase();
  return scheme === undefined || schemes.has(scheme)
    ? undefined
    : `its scheme is not one of ${[...schemes].join(", ")}`;
}

function userOnly(url: GoUrl): GoUrl {
  return url.user ? { ...url, user: { username: url.user.username, password: undefined } } : url;
}

function barePath(path: string): string {
  return path.replace(/^\//, "").replace(/\.git$/, "");
}

import { parseGitUrl } from "./git-url.ts";
import { fromBytes, type GoUrl, printGoUrl, toBytes } from "./go-url.ts";
import { redactorOf, withoutPassword } from "./redact.ts";
import { hasCutPassword, hasUnsayableCredential } from "./upstream-access.ts";

/** The address of the repository: an ssh, https, git, or file URL, `user@host:path`, or a local path. */
export interface Remote {
  /** As configured, including credentials; for git only. */
  readonly url: string;
  /** For logs, the API and messages. */
  readonly safeUrl: string;
  /** Removes the URL's credentials from any text. */
  readonly redact: (text: string) => string;
}

/** The schemes that git may be used with; others such as `ext::` would run commands. */
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

/** The remote for a URL. */
export function remoteOf(url: string): Remote {
  const redact = redactorOf(url);
  return { url, safeUrl: redact(fluxSafeUrl(withoutPassword(url))), redact };
}

/**
 * The URL as Flux v1 prints it: with a scheme, without a password. If it contains a password that Go can't parse as
 * one, that's still in it: use it only for hashing, and never show it.
 */
export function fluxSafeUrl(url: string): string {
  const parsed = parseGitUrl(toBytes(url));
  return fromBytes(printGoUrl(userOnly(parsed)));
}

/** True if both name the same host and path, regardless of the scheme, the user, and a final `.git`. */
export function isEquivalent(a: string, b: string): boolean {
  const [left, right] = [parseGitUrl(toBytes(a)), parseGitUrl(toBytes(b))];
  return left.host === right.host && barePath(left.path) === barePath(right.path);
}

/** Why this URL isn't passed to git; undefined if it may be. */
export function whyRefused(url: string): string | undefined {
  if (url.startsWith("-")) {
    return "it starts with a dash";
  }
  if (/[\x00-\x1f\x7f]/.test(url)) {
    return "it contains a control character";
  }
  if (/^[a-zA-Z0-9+.-]+::/.test(url)) {
    return "it names a transport helper";
  }
  if (hasUnsayableCredential(url)) {
    return "its user or password contains a line break or a NUL";
  }
  if (hasCutPassword(url)) {
    return "its password contains /, ?, or #; write these as %2F, %3F, and %23";
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

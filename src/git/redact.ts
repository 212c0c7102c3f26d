import { parseGitUrl } from "./git-url.ts";
import { fromBytes, toBytes } from "./go-url.ts";

/** The replacement for a secret. */
const redacted = "<redacted>";

/**
 * Shorter secrets are removed only from URLs. Removing them as separate words would leave gaps in every message, and so
 * reveal them.
 */
const shortestWord = 6;

/** User names that are tokens, by the prefixes that GitHub, GitLab, and Bitbucket use. */
const tokenUser = /^(gh[pousr]_|github_pat_|glpat-|gloas-|gldt-|ATBB|ATCTT)/;

/** A password in any URL in a text: up to the last @ before the path. */
const passwordInUrl = /(:\/\/[^\s/:@'"]*):[^\s/'"]*@/g;

/** Returns a function that removes the credentials of `url`, and the passwords in other URLs, from a text. */
export function redactorOf(url: string): (text: string) => string {
  const written = writtenSecrets(url);
  const words = [...written, ...written.map(decodedOrNot), ...tokenOf(url)]
    .filter((secret) => secret.length >= shortestWord)
    .toSorted(longestFirst);
  return (text) => {
    const passwordsGone = withoutOwn(written, text).replace(passwordInUrl, "$1@");
    return words.reduce((rest, word) => rest.replaceAll(word, redacted), passwordsGone);
  };
}

/** The URL without its password, whether or not it's valid. */
export function withoutPassword(url: string): string {
  return withoutOwn(writtenSecrets(url), url);
}

function withoutOwn(secrets: readonly string[], text: string): string {
  return secrets.toSorted(longestFirst).reduce((rest, secret) => rest.replaceAll(`:${secret}@`, "@"), text);
}

/**
 * Possible passwords: the text before the last @ of the authority, and the text before the last @ of the whole URL,
 * since a password can contain a slash that should have been escaped (unless it looks like a port).
 */
function writtenSecrets(url: string): readonly string[] {
  const rest = /^[^:/]*:\/\/(.*)$/s.exec(url)?.[1] ?? "";
  const [authority = ""] = rest.split("/");
  const proper = secretBeforeAt(authority);
  const isPort = /^[^:/]*:\d+(\/|$)/.test(rest);
  const broad = proper === "" && isPort ? "" : secretBeforeAt(rest);
  return [proper, broad].filter((secret) => secret !== "");
}

function secretBeforeAt(text: string): string {
  return /^[^:]*:(.*)@[^@]*$/s.exec(text)?.[1] ?? "";
}

/** The user name of the URL if it's a token. */
export function tokenOf(url: string): readonly string[] {
  const username = parseGitUrl(toBytes(url)).user?.username ?? "";
  return tokenUser.test(username) ? [fromBytes(username)] : [];
}

function longestFirst(a: string, b: string): number {
  return b.length - a.length;
}

function decodedOrNot(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

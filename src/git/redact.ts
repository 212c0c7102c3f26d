import { parseGitUrl } from "./git-url.ts";
import { fromBytes, toBytes } from "./go-url.ts";

/** What stands where a secret stood. */
const redacted = "<redacted>";

/**
 * Secrets shorter than this are taken out of URLs only: as words of their own they would tear holes into
 * every message, and so be told by them.
 */
const shortestWord = 6;

/** User names that are tokens, by the beginnings that GitHub, GitLab and Bitbucket give theirs. */
const tokenUser = /^(gh[pousr]_|github_pat_|glpat-|gloas-|gldt-|ATBB|ATCTT)/;

/** A password in any URL of a text: up to the last @ before the path. */
const passwordInUrl = /([a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^\s/:@'"]*):[^\s/'"]*@/g;

/** A function that takes the credentials of `url`, and the passwords of other URLs, out of a text. */
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

/** The URL without its password, valid or not. */
export function withoutPassword(url: string): string {
  return withoutOwn(writtenSecrets(url), url);
}

function withoutOwn(secrets: readonly string[], text: string): string {
  return secrets.toSorted(longestFirst).reduce((rest, secret) => rest.replaceAll(`:${secret}@`, "@"), text);
}

/**
 * What may be the password: what stands before the last @ of the authority, and what stands before the last @
 * of all, since a password may have a slash in it that should have been escaped (unless it looks like a port).
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

/** The user name of the URL where it is a token, none otherwise. */
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

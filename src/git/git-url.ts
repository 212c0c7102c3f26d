import { emptyUrl, type GoUrl, parseGoUrl } from "./go-url.ts";

/** The schemes of git URLs that Flux v1 recognizes. */
const schemes: ReadonlySet<string> = new Set([
  "ssh",
  "git",
  "git+ssh",
  "http",
  "https",
  "ftp",
  "ftps",
  "rsync",
  "file",
]);

const scpForm = /^([a-zA-Z0-9_]+@)?([a-zA-Z0-9._-]+):([a-zA-Z0-9./._-]+)(?:\?|)(.*)$/;

/**
 * Converts any git URL, given in bytes, to a URL with a scheme. A known scheme stays; otherwise, `user@host:path`
 * becomes ssh, and a local path becomes file. Never fails. Same as in Flux v1, which uses whilp/git-urls.
 */
export function parseGitUrl(url: string): GoUrl {
  const parsed = parseGoUrl(url);
  if (parsed && schemes.has(parsed.scheme)) {
    return parsed;
  }
  return parseScp(url) ?? { ...emptyUrl, scheme: "file", path: url };
}

function parseScp(url: string): GoUrl | undefined {
  const match = scpForm.exec(url);
  if (!match) {
    return undefined;
  }
  const [, user = "", host = "", path = "", rawQuery = ""] = match;
  const username = user.replace(/@+$/, "");
  return {
    ...emptyUrl,
    scheme: "ssh",
    user: username === "" ? undefined : { username, password: undefined },
    host,
    path,
    rawQuery,
  };
}

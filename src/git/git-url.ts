import { emptyUrl, type GoUrl, parseGoUrl } from "./go-url.ts";

/** What Flux v1 takes for the scheme of a git URL. */
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
 * Any git URL, in bytes, as a URL with a scheme: what has a known one as it is, else `user@host:path` as ssh,
 * else a local path as file. Never fails. As Flux v1, which leaves this to whilp/git-urls.
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

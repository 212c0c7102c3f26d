/**
 * URLs as Go's net/url reads and prints them. What Flux v1 prints of a git URL goes into the name of the sync
 * set, and so into the mark on every object of the cluster: it has to be the same to the byte. Strings here
 * hold one byte per character, as Go's do.
 */

/** The parts of a URL that git URLs have; `path` is unescaped. */
export interface GoUrl {
  readonly scheme: string;
  /** What follows the scheme where it is not a slash. */
  readonly opaque: string;
  readonly user: GoUserinfo | undefined;
  readonly host: string;
  readonly path: string;
  /** The path as it was written, where that is not how it would be escaped. */
  readonly rawPath: string;
  readonly forceQuery: boolean;
  readonly rawQuery: string;
  readonly fragment: string;
  readonly rawFragment: string;
}

/** Who is named before the host; the password is undefined where no colon was. */
export interface GoUserinfo {
  readonly username: string;
  readonly password: string | undefined;
}

/** A URL of nothing, to be spread into one. */
export const emptyUrl: GoUrl = {
  scheme: "",
  opaque: "",
  user: undefined,
  host: "",
  path: "",
  rawPath: "",
  forceQuery: false,
  rawQuery: "",
  fragment: "",
  rawFragment: "",
};

type Mode = "host" | "path" | "userPassword" | "fragment";

/** One byte per character. */
export function toBytes(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** The text that such bytes are. */
export function fromBytes(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}

/** Go's url.Parse; undefined where that returns an error. */
export function parseGoUrl(raw: string): GoUrl | undefined {
  const [beforeFragment, rawFragment] = cut(raw, "#");
  if (hasControlByte(beforeFragment)) {
    return undefined;
  }
  const scheme = schemeOf(beforeFragment);
  const fragment = unescapeGo(rawFragment, "fragment");
  if (scheme === undefined || fragment === undefined) {
    return undefined;
  }
  const rest = scheme === "" ? beforeFragment : beforeFragment.slice(scheme.length + 1);
  const url = parseAfterScheme(scheme.toLowerCase(), rest);
  return url && { ...url, fragment, rawFragment: rawIfOdd(rawFragment, fragment, "fragment") };
}

/** Go's URL.String. */
export function printGoUrl(url: GoUrl): string {
  const scheme = url.scheme === "" ? "" : `${url.scheme}:`;
  const query = url.forceQuery || url.rawQuery !== "" ? `?${url.rawQuery}` : "";
  const fragment = url.fragment === "" ? "" : `#${escapedAs(url.fragment, url.rawFragment, "fragment")}`;
  return `${scheme}${url.opaque === "" ? printHierarchy(url) : url.opaque}${query}${fragment}`;
}

function printHierarchy({ user, host, path, rawPath }: GoUrl): string {
  const slashes = host !== "" || path !== "" || user ? "//" : "";
  const who = user ? `${printUser(user)}@` : "";
  const escaped = path === "*" ? path : escapedAs(path, rawPath, "path");
  const separator = escaped !== "" && !escaped.startsWith("/") && host !== "" ? "/" : "";
  return `${slashes}${who}${escapeGo(host, "host")}${separator}${escaped}`;
}

function printUser({ username, password }: GoUserinfo): string {
  const name = escapeGo(username, "userPassword");
  return password === undefined ? name : `${name}:${escapeGo(password, "userPassword")}`;
}

function parseAfterScheme(scheme: string, text: string): GoUrl | undefined {
  const forceQuery = text.indexOf("?") === text.length - 1 && text !== "";
  const [rest, rawQuery] = cut(text, "?");
  const base = { ...emptyUrl, scheme, forceQuery, rawQuery };
  if (!rest.startsWith("/") && scheme !== "") {
    return { ...base, opaque: rest };
  }
  if (!rest.startsWith("/") && (rest.split("/")[0] ?? "").includes(":")) {
    return undefined;
  }
  if (!rest.startsWith("//") || (scheme === "" && rest.startsWith("///"))) {
    return withPath(base, rest);
  }
  const end = rest.indexOf("/", 2);
  const authority = parseAuthority(rest.slice(2, end < 0 ? undefined : end));
  return authority && withPath({ ...base, ...authority }, end < 0 ? "" : rest.slice(end));
}

function withPath(url: GoUrl, rawPath: string): GoUrl | undefined {
  const path = unescapeGo(rawPath, "path");
  return path === undefined ? undefined : { ...url, path, rawPath: rawIfOdd(rawPath, path, "path") };
}

/** "" where there is none, undefined where there is only a colon. */
function schemeOf(text: string): string | undefined {
  if (text.startsWith(":")) {
    return undefined;
  }
  return /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text)?.[1] ?? "";
}

function parseAuthority(text: string): Pick<GoUrl, "user" | "host"> | undefined {
  const at = text.lastIndexOf("@");
  const host = parseHost(text.slice(at + 1));
  if (host === undefined || at < 0) {
    return host === undefined ? undefined : { user: undefined, host };
  }
  const user = parseUser(text.slice(0, at));
  return user && { user, host };
}

function parseUser(text: string): GoUserinfo | undefined {
  if (!/^[a-zA-Z0-9\-._:~!$&'()*+,;=%@]*$/.test(text)) {
    return undefined;
  }
  const [rawName, rawPassword] = cut(text, ":");
  const username = unescapeGo(rawName, "userPassword");
  const password = text.includes(":") ? unescapeGo(rawPassword, "userPassword") : undefined;
  if (username === undefined || (text.includes(":") && password === undefined)) {
    return undefined;
  }
  return { username, password };
}

function parseHost(text: string): string | undefined {
  const bracket = text.lastIndexOf("]");
  const port = text.startsWith("[") ? text.slice(bracket + 1) : (/:[^:]*$/.exec(text)?.[0] ?? "");
  if ((text.startsWith("[") && bracket < 0) || !/^(:[0-9]*)?$/.test(port)) {
    return undefined;
  }
  return unescapeGo(text, "host");
}

/** The bytes that percent signs stand for put in their place; undefined where Go refuses the text. */
function unescapeGo(text: string, mode: Mode): string | undefined {
  if (/%(?![0-9a-fA-F]{2})/.test(text)) {
    return undefined;
  }
  const isHost = mode === "host";
  if (isHost && (/%(?!25)[0-7]/.test(text) || Array.from(text).some(isRefusedInHost))) {
    return undefined;
  }
  return text.replace(/%([0-9a-fA-F]{2})/g, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

function isRefusedInHost(char: string): boolean {
  return char !== "%" && char < "\x80" && mustEscape(char, "host");
}

function escapeGo(text: string, mode: Mode): string {
  return text.replace(/[^]/g, (char) => (mustEscape(char, mode) ? percent(char) : char));
}

function percent(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

/** How the text was written, where Go would escape it otherwise; else "". */
function rawIfOdd(raw: string, text: string, mode: Mode): string {
  return escapeGo(text, mode) === raw ? "" : raw;
}

/** As it was written where that is a valid way to write it. */
function escapedAs(text: string, raw: string, mode: Mode): string {
  const valid =
    raw !== "" &&
    Array.from(raw).every((char) => /[[\]%!$&'()*+,;=:@]/.test(char) || !mustEscape(char, mode));
  return valid && unescapeGo(raw, mode) === text ? raw : escapeGo(text, mode);
}

/** Characters besides letters, digits and -_.~ that a part of a URL may hold as they are. */
const allowed: Readonly<Record<Mode, string>> = {
  host: "!$&'()*+,;=:[]<>\"",
  path: "$&+,/:;=@",
  userPassword: "$&+,;=",
  fragment: "$&+,/:;=?@!()*",
};

function mustEscape(char: string, mode: Mode): boolean {
  return !/[a-zA-Z0-9\-_.~]/.test(char) && !allowed[mode].includes(char);
}

function hasControlByte(text: string): boolean {
  return /[\x00-\x1f\x7f]/.test(text);
}

function cut(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + separator.length)];
}

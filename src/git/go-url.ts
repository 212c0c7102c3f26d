/**
 * Parses and prints URLs as Go's net/url does. Flux v1's form of the git URL determines the name of the sync set, and
 * so the mark on every object of the cluster, so every byte must be the same. Strings here contain one byte per
 * character, like Go's.
 */

/** The parts of a URL that occur in git URLs; `path` is unescaped. */
export interface GoUrl {
  readonly scheme: string;
  /** The rest after the scheme if it doesn't start with a slash. */
  readonly opaque: string;
  readonly user: GoUserinfo | undefined;
  readonly host: string;
  readonly path: string;
  /** The original path, if escaping `path` would give another text. */
  readonly rawPath: string;
  readonly forceQuery: boolean;
  readonly rawQuery: string;
  readonly fragment: string;
  readonly rawFragment: string;
}

/** The user before the host; the password is undefined if there was no colon. */
export interface GoUserinfo {
  readonly username: string;
  readonly password: string | undefined;
}

/** An empty URL, for spreading into others. */
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

/** Converts text to one byte per character. */
export function toBytes(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** Converts such bytes back to text. */
export function fromBytes(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}

/** Go's url.Parse; undefined if that returns an error. */
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

/** "" if there's none, undefined if there's only a colon. */
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

/** Replaces percent-encoded bytes; undefined if Go refuses the text. */
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

/** The original text if Go would escape it differently; otherwise "". */
function rawIfOdd(raw: string, text: string, mode: Mode): string {
  return escapeGo(text, mode) === raw ? "" : raw;
}

/** The original text if it's a valid encoding. */
function escapedAs(text: string, raw: string, mode: Mode): string {
  const valid =
    raw !== "" &&
    Array.from(raw).every((char) => /[[\]%!$&'()*+,;=:@]/.test(char) || !mustEscape(char, mode));
  return valid && unescapeGo(raw, mode) === text ? raw : escapeGo(text, mode);
}

/** The characters besides letters, digits, and -_.~ that a part of a URL can contain unescaped. */
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

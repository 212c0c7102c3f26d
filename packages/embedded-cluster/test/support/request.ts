/**
 * One request of a scenario, as data. In paths and bodies `$ns` stands for the namespace of the scenario, and
 * `$2.metadata.uid` for what the same cluster answered to the second request.
 */
export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** It is sent until its answer is of this kind, names this reason, or has this condition settled. */
  readonly until?: string;
  /** A watch: it is started again until it has told so many events, however slow the server is. */
  readonly events?: number;
  /** The embedded cluster says the same in words of its own: messages are not compared. */
  readonly inOwnWords?: boolean;
  /** Bodies are not compared. */
  readonly bodyless?: boolean;
}

type Headers = Readonly<Record<string, string>>;
type Body = object | string;

const json = { "content-type": "application/json" };

/** A read, of JSON where no other form is asked for. */
export function get(path: string, headers: Headers = {}): Request {
  return { method: "GET", path, headers, body: undefined };
}

/** A watch that ends by itself, and that is started again until it has told so many events. */
export function watch(events: number, path: string, headers: Headers = {}): Request {
  const separator = path.includes("?") ? "&" : "?";
  return { ...get(`${path}${separator}watch=true&timeoutSeconds=1`, headers), events };
}

/** A creation. A body of text goes out as it is. */
export function post(path: string, body: Body, headers: Headers = {}): Request {
  return { method: "POST", path, headers: { ...json, ...headers }, body: textOf(body) };
}

/** A replacement. */
export function put(path: string, body: Body, headers: Headers = {}): Request {
  return { method: "PUT", path, headers: { ...json, ...headers }, body: textOf(body) };
}

const patchTypes = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
} as const;

/** A patch of a type, e.g. "merge". */
export function patch(type: keyof typeof patchTypes, path: string, body: Body): Request {
  return { method: "PATCH", path, headers: { "content-type": patchTypes[type] }, body: textOf(body) };
}

/** A request with other headers, which win over its own. */
export function withHeaders(request: Request, headers: Headers): Request {
  return { ...request, headers: { ...request.headers, ...headers } };
}

/** A deletion, with its options if any. */
export function remove(path: string, options?: Body): Request {
  const body = options === undefined ? {} : { headers: json, body: textOf(options) };
  return { method: "DELETE", path, headers: {}, body: undefined, ...body };
}

/** A request that is refused alike, but not in the same words: they tell of Go's YAML parser, or of etcd. */
export function inOwnWords(request: Request): Request {
  return { ...request, inOwnWords: true };
}

/** A request of whose answer only the status and the headers are compared: the rest is as long as a book. */
export function withoutBody(request: Request): Request {
  return { ...request, bodyless: true };
}

function textOf(body: Body): string {
  return typeof body === "string" ? body : JSON.stringify(body);
}

/** What a request fills its placeholders from. */
export interface Known {
  readonly namespace: string;
  /** The bodies of the answers so far. */
  readonly answers: readonly unknown[];
}

/** A request as it goes out. Throws where an earlier answer lacks what the request refers to. */
export function fill(request: Request, known: Known): Request {
  const path = fillText(request.path, known);
  const body = request.body === undefined ? undefined : fillText(request.body, known);
  return { ...request, path, body };
}

function fillText(text: string, { namespace, answers }: Known): string {
  return text
    .replaceAll("$ns", namespace)
    .replaceAll(/\$(\d+)\.([\w.]*\w)/g, (_, step: string, keys: string) =>
      valueAt(answers[Number(step) - 1], keys.split(".")),
    );
}

function valueAt(answer: unknown, keys: readonly string[]): string {
  let value = answer;
  for (const key of keys) {
    value = typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  }
  if (typeof value !== "string" && typeof value !== "number") {
    throw new Error(`an earlier answer has no ${keys.join(".")}: ${JSON.stringify(answer)}`);
  }
  return String(value);
}

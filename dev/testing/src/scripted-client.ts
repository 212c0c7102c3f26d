import type { RestClient, RestRequest } from "@weir/kube/rest";

/** Answers a request that isn't a watch: returns JSON, or throws. */
export type Answer = (request: RestRequest) => unknown;

/**
 * A scripted API server: returns one response after the other, and repeats the last one; starts one watch
 * after the other, and then watches without events. Records all requests.
 */
export class ScriptedClient implements RestClient {
  readonly server = "https://scripted";
  /** "get /path?query" and "watch /path?query", in order. */
  readonly asked: string[] = [];
  readonly #lists: Answer[];
  readonly #watches: ((request: RestRequest) => AsyncIterable<string>)[];

  constructor(script: {
    readonly lists: readonly Answer[];
    readonly watches?: readonly ((request: RestRequest) => AsyncIterable<string>)[];
  }) {
    this.#lists = [...script.lists];
    this.#watches = [...(script.watches ?? [])];
  }

  json(request: RestRequest): Promise<unknown> {
    this.asked.push(`get ${printRequest(request)}`);
    const answer = this.#lists.length > 1 ? this.#lists.shift() : this.#lists[0];
    return new Promise((resolve) => resolve(answer?.(request)));
  }

  lines(request: RestRequest): AsyncIterable<string> {
    this.asked.push(`watch ${printRequest(request)}`);
    const watch = this.#watches.shift();
    return watch === undefined ? silence(request) : watch(request);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** A watch without events, until it's aborted. */
export async function* silence({ signal }: RestRequest): AsyncGenerator<string, void, undefined> {
  signal?.throwIfAborted();
  await new Promise((_resolve, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
  yield* [];
}

function printRequest({ path, query = {} }: RestRequest): string {
  const text = new URLSearchParams(query).toString();
  return text === "" ? path : `${path}?${text}`;
}

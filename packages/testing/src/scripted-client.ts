import type { RestClient, RestRequest } from "@weir/kube/rest";

/** Answers one request that is no watch: with what it returns as JSON, or by throwing. */
export type Answer = (request: RestRequest) => unknown;

/**
 * An API server as a script: one answer after the other, the last one for ever; one watch after the other, and
 * when there are none left, watches on which nothing happens. What was asked is written down.
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

/** A watch on which nothing happens until it is aborted. */
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

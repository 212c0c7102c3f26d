import type { RestClient, RestRequest } from "@weir/kube/rest";

/** A client with which a test can observe and intercept requests. */
export class CountingClient implements RestClient {
  readonly server: string;
  /** Wraps each request except watches: can delay it before and after it's sent, or not send it. */
  around: (send: () => Promise<unknown>, request: RestRequest) => Promise<unknown> = (send) => send();
  readonly #client: RestClient;
  readonly #requests: RestRequest[] = [];

  constructor(client: RestClient) {
    this.#client = client;
    this.server = client.server;
  }

  async json(request: RestRequest): Promise<unknown> {
    this.#requests.push(request);
    return this.around(() => this.#client.json(request), request);
  }

  async *lines(request: RestRequest): AsyncGenerator<string, void, undefined> {
    this.#requests.push(request);
    yield* this.#client.lines(request);
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  /** Runs `work` once, before the next request with that method. */
  beforeNext(method: RestRequest["method"], work: () => Promise<unknown>): void {
    this.around = async (send, request) => {
      if (request.method === method) {
        this.around = (next) => next();
        await work();
      }
      return send();
    };
  }

  /** The requests since the last call, as "PATCH /api/v1/namespaces/a/configmaps/b". */
  take(): readonly string[] {
    return this.#requests.splice(0).map(({ method, path }) => `${method} ${path}`);
  }
}

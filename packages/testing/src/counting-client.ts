import type { RestClient, RestRequest } from "@weir/kube/rest";

/** A client that lets a test see which requests go by, and stand in their way. */
export class CountingClient implements RestClient {
  readonly server: string;
  /** Stands around each request but watches: may wait before it sends it and after, or not send it at all. */
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

  /** Does something before the next request of that method, once. */
  beforeNext(method: RestRequest["method"], work: () => Promise<void>): void {
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

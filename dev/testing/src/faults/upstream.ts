import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from "node:http2";
import { PassThrough } from "node:stream";

/** What an API server answered; the body is a stream. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: AsyncIterable<Buffer>;
}

/** A request to an API server. */
export interface UpstreamRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The connection of a proxy to an API server, with the rights of a token. */
export class Upstream {
  readonly #url: string;
  readonly #token: string;
  #session: ClientHttp2Session | undefined;
  #working = 0;

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  /** True while the server works on a request; a watch is no longer worked on when it has begun. */
  get isWorking(): boolean {
    return this.#working > 0;
  }

  /** The beginning of the answer. Rejects if the server can't be reached. The signal ends the body too. */
  ask(request: UpstreamRequest, signal: AbortSignal): Promise<UpstreamAnswer> {
    return this.#work(() => this.#send(request, signal));
  }

  /** The answer with all of its body. Rejects if the server can't be reached. */
  askWhole(
    request: UpstreamRequest,
    signal: AbortSignal,
  ): Promise<{ readonly answer: UpstreamAnswer; readonly body: Buffer }> {
    return this.#work(async () => {
      const answer = await this.#send(request, signal);
      const chunks: Buffer[] = [];
      for await (const chunk of answer.body) {
        chunks.push(chunk);
      }
      return { answer, body: Buffer.concat(chunks) };
    });
  }

  close(): void {
    this.#session?.destroy();
  }

  async #work<T>(ask: () => Promise<T>): Promise<T> {
    this.#working += 1;
    try {
      return await ask();
    } finally {
      this.#working -= 1;
    }
  }

  #send({ method, target, headers, body }: UpstreamRequest, signal: AbortSignal): Promise<UpstreamAnswer> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const head = { ...headers, ":method": method, ":path": target, authorization: `Bearer ${this.#token}` };
      const stream = this.#connected().request(head, { endStream: body.length === 0 });
      // Read from the beginning: Node.js drops what arrived when a stream is closed before somebody reads it.
      const received = stream.pipe(new PassThrough());
      const end = (): void => void stream.destroy();
      signal.addEventListener("abort", end, { once: true });
      stream.on("close", () => {
        signal.removeEventListener("abort", end);
        received.end();
        reject(new Error("the server did not answer"));
      });
      stream.on("error", reject);
      stream.on("response", (answer) => {
        resolve({ status: answer[":status"] ?? 0, headers: answer, body: received });
      });
      if (body.length > 0) {
        stream.end(body);
      }
    });
  }

  #connected(): ClientHttp2Session {
    if (this.#session === undefined || this.#session.closed || this.#session.destroyed) {
      this.#session = connect(this.#url, { rejectUnauthorized: false });
      this.#session.on("error", () => undefined);
    }
    return this.#session;
  }
}

import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from "node:http2";
import type { Socket } from "node:net";
import { type Clock, toError } from "@weir/base";
import { ConnectionError, type HttpRequest, type HttpResponse } from "../rest/transport.ts";
import { bodyOf, cancel, Http2Response } from "./http2-response.ts";

/** How many streams are opened on one connection: API servers allow 100 or 250, and say so a little late. */
const maxStreams = 100;
/** So often a connection is asked for a sign of life, and it is dropped when none comes in time. */
const heartbeatMs = 30_000;
const answerMs = 15_000;
/**
 * What is sent without waiting for our word. The window of the session has room for those of all streams: streams that
 * wait for their turn with a large answer would keep the one whose turn it is from getting on.
 */
const streamWindow = 1 << 19;
const sessionWindow = maxStreams * streamWindow;

/** One HTTP/2 connection with its streams. */
export class Http2Session {
  readonly #server: string;
  readonly #socket: Socket;
  readonly #session: ClientHttp2Session;
  readonly #ended = new AbortController();
  #streams = 0;
  #failure: Error | undefined;

  constructor(server: string, socket: Socket, clock: Clock) {
    this.#server = server;
    this.#socket = socket;
    this.#session = connect(server, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: streamWindow },
      // In megabytes. The usual 10 would refuse streams while many pages come in at once.
      maxSessionMemory: 256,
    });
    this.#session.once("connect", () => {
      // It may have been closed in the moment before this is told.
      if (this.usable) {
        this.#session.setLocalWindowSize(sessionWindow);
      }
    });
    this.#session.on("error", (error: Error) => {
      this.#failure ??= error;
    });
    this.#session.on("close", () => this.#ended.abort());
    this.#heartbeat(clock).catch(() => undefined);
  }

  /** False once the connection is lost, or the server said that it goes away. */
  get usable(): boolean {
    return !this.#session.closed && !this.#session.destroyed;
  }

  /** True where the server would let another stream wait for one of the others to end. */
  get full(): boolean {
    const { maxConcurrentStreams = maxStreams } = this.#session.remoteSettings;
    return this.#streams >= Math.min(maxStreams, maxConcurrentStreams);
  }

  /** Sends a request; see Transport.send. The stream is taken before this returns. */
  send(request: HttpRequest): Promise<HttpResponse> {
    const { signal } = request;
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const stream = this.#open(request);
      const body = bodyOf(stream);
      const aborted = (): void => cancel(stream);
      signal?.addEventListener("abort", aborted, { once: true });
      let isAnswered = false;
      stream.once("response", (head) => {
        isAnswered = true;
        resolve(new Http2Response(stream, head, body));
      });
      stream.once("close", () => {
        this.#streams -= 1;
        signal?.removeEventListener("abort", aborted);
        const isWhole = stream.rstCode === constants.NGHTTP2_NO_ERROR;
        if (!isAnswered) {
          reject(this.#errorOf(stream, signal));
        } else if (!isWhole) {
          body.destroy(this.#errorOf(stream, signal));
        }
      });
      stream.end(request.body);
    });
  }

  /** Ends the connection and all streams on it. */
  close(): void {
    this.#fail(new Error("the client is closed"));
  }

  #open(request: HttpRequest): ClientHttp2Stream {
    const { method, target, headers, body } = request;
    try {
      const head = { ...headers, ":method": method, ":path": target };
      const stream = this.#session.request(head, { endStream: body === undefined });
      this.#streams += 1;
      return stream;
    } catch (error) {
      throw new ConnectionError(
        { server: this.#server, sent: false, reason: toError(error).message },
        { cause: error },
      );
    }
  }

  #errorOf(stream: ClientHttp2Stream, signal: AbortSignal | undefined): Error {
    if (signal?.aborted) {
      return toError(signal.reason);
    }
    const refused = stream.rstCode === constants.NGHTTP2_REFUSED_STREAM || stream.pending;
    const cause = this.#failure;
    return new ConnectionError(
      { server: this.#server, sent: !refused, reason: cause?.message ?? "it ended" },
      { cause },
    );
  }

  /** TCP alone may take a quarter of an hour to notice that the other side is gone. */
  async #heartbeat(clock: Clock): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      await clock.sleep(heartbeatMs, signal);
      const silent = new AbortController();
      const answered = this.#ping().finally(() => silent.abort());
      const late = clock.sleep(answerMs, silent.signal).then(() => {
        this.#fail(new Error("the server gives no sign of life"));
      });
      await Promise.allSettled([answered, late]);
    }
  }

  /** Node ends a session when all that it wrote is sent; on a connection that is dead that never comes. */
  #fail(error: Error): void {
    this.#failure ??= error;
    this.#session.destroy(error);
    this.#socket.destroy();
    this.#ended.abort();
  }

  #ping(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#session.ping((error) => {
        if (error === null) {
          resolve();
        } else {
          reject(error);
        }
      });
    });
  }
}

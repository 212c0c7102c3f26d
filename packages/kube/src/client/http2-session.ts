import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from "node:http2";
import type { Socket } from "node:net";
import { abortReason, type Clock, toError } from "@weir/base";
import { ConnectionError, type HttpRequest, type HttpResponse } from "../rest/transport.ts";
import { bodyOf, cancel, Http2Response } from "./http2-response.ts";

/**
 * The maximum number of streams on one connection: API servers allow 100 or 250, and announce it a little
 * late.
 */
const maxStreams = 100;
/** How often to ping a connection; if there is no response in time, the connection is dropped. */
const heartbeatMs = 30_000;
const answerMs = 15_000;
/**
 * How much data is sent without waiting for an acknowledgment. The window of the session has room for all
 * streams: otherwise, streams that wait for their turn with a large response would block the stream whose
 * turn it is.
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
      // In megabytes. The default of 10 would refuse streams while many pages arrive at once.
      maxSessionMemory: 256,
    });
    this.#session.once("connect", () => {
      // It may have been closed just before this event.
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

  /** False if the connection is lost, or the server announced that it's closing it. */
  get usable(): boolean {
    return !this.#session.closed && !this.#session.destroyed;
  }

  /** True if the server would let another stream wait for one of the others to end. */
  get full(): boolean {
    const { maxConcurrentStreams = maxStreams } = this.#session.remoteSettings;
    return this.#streams >= Math.min(maxStreams, maxConcurrentStreams);
  }

  /** Sends a request; see Transport.send. The stream is reserved before this returns. */
  send(request: HttpRequest): Promise<HttpResponse> {
    const { signal } = request;
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const stream = this.#open(request);
      const body = bodyOf(stream);
      const aborted = (): void => {
        cancel(stream);
        // The stream reports its end later, or never while the connection takes no more bytes.
        reject(abortReason(signal));
        body.destroy(abortReason(signal));
      };
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

  /** Ends the connection and all of its streams. */
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
      { server: this.#server, sent: !refused, reason: cause?.message ?? "the connection ended" },
      { cause },
    );
  }

  /** Without this, TCP can take a quarter of an hour to notice that the peer is gone. */
  async #heartbeat(clock: Clock): Promise<void> {
    const { signal } = this.#ended;
    while (!signal.aborted) {
      await clock.sleep(heartbeatMs, signal);
      const silent = new AbortController();
      const answered = this.#ping().finally(() => silent.abort());
      const late = clock.sleep(answerMs, silent.signal).then(() => {
        this.#fail(new Error("the server stopped responding"));
      });
      await Promise.allSettled([answered, late]);
    }
  }

  /** Node.js ends a session when everything it wrote is sent, which never happens on a dead connection. */
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

/**
 * A websocket as a byte stream in both directions, with the heartbeat and the time limits of Flux v1's
 * pkg/http/websocket. Only binary messages count; message boundaries have no meaning. Both ends of a
 * connection use it.
 */

import { type Clock, Deadline, Mutex, toError, upstreamLimits } from "@weir/base";
import type { RawData, WebSocket } from "ws";
import { Heartbeat } from "./heartbeat.ts";
import { defaultLimits } from "./json-splitter.ts";

/** How a connection ended. */
export interface ChannelEnd {
  /** The code of the close frame; 1006 if there was none. */
  readonly code: number;
  /** The error, if neither side intended the connection to end. */
  readonly error?: Error;
}

/**
 * The options for the WebSocket of a channel, on either side. The types of ws don't include closeTimeout yet.
 */
export const socketOptions = {
  perMessageDeflate: false,
  maxPayload: defaultLimits.maxSize,
  maxFragments: upstreamLimits.fragments,
  // Text messages are skipped, so they don't need to be validated.
  skipUTF8Validation: true,
  closeTimeout: 1_000,
} as const;

/** The time limit for sending a message, in milliseconds. As Flux v1. */
const writeLimit = 10_000;

/** The close codes that count as a normal end. As Flux v1; 1006 is a connection that disappeared. */
const peacefulCodes: readonly number[] = [1000, 1001, 1005, 1006];

/** The maximum size of the reason in a close frame, in bytes. */
const maxReason = 123;

/** One open websocket. It buffers received data until a listener is set. */
export class Channel {
  /** Resolves when the connection has ended; never rejects. */
  readonly closed: Promise<ChannelEnd>;
  readonly #socket: WebSocket;
  readonly #clock: Clock;
  readonly #writing = new Mutex();
  readonly #over = new AbortController();
  readonly #heartbeat: Heartbeat;
  #error: Error | undefined;

  /** Takes ownership of an open socket; must be called in the same tick in which it opened. */
  constructor(socket: WebSocket, clock: Clock) {
    this.#socket = socket;
    this.#clock = clock;
    socket.pause();
    socket.on("pong", () => this.#heartbeat.heard());
    socket.on("error", (error) => this.#blame(error));
    this.closed = new Promise((resolve) => {
      socket.once("close", (code, reason) => {
        this.#end();
        resolve(this.#endOf(code, reason.toString("utf8")));
      });
    });
    this.#heartbeat = new Heartbeat(clock, {
      signal: this.signal,
      isListening: () => !socket.isPaused,
      ping: () => this.#ping(),
      silent: (ms) => this.#drop(`received nothing from the other side for ${ms / 1000} s`),
    });
  }

  /** Aborted when the connection has ended or is about to: work for it is no longer needed. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Passes received data to the listener from now on. */
  listen(listener: (bytes: Uint8Array) => void): void {
    this.#socket.on("message", (data, isBinary) => {
      this.#heartbeat.heard();
      if (isBinary) {
        listener(bytesOf(data));
      }
    });
    this.resume();
  }

  /** Stops reading, so that the sender has to wait; a few messages can still arrive. */
  pause(): void {
    this.#socket.pause();
  }

  /** Resumes reading. */
  resume(): void {
    if (this.#socket.isPaused) {
      this.#heartbeat.heard();
      this.#socket.resume();
    }
  }

  /**
   * Sends a message; resolves when it's sent. Rejects with ChannelError if the connection ends before that.
   */
  send(text: string): Promise<void> {
    return this.#writing.run(() => this.#write(text), this.signal);
  }

  /** Closes the connection normally; resolves when it has ended. */
  async close(code = 1000, reason = "ok"): Promise<void> {
    this.#end();
    if (this.#socket.isPaused) {
      this.#socket.resume();
    }
    this.#socket.close(code, fitting(reason));
    await this.closed;
  }

  /** Closes the connection because of an error of the other side, and reports the error to it. */
  async fail(error: Error, code: number): Promise<void> {
    this.#blame(error);
    await this.close(code, error.message);
  }

  async #write(text: string): Promise<void> {
    using deadline = new Deadline(this.#clock, writeLimit, this.signal);
    const late = (): void => {
      if (deadline.expired) {
        this.#drop(`a message could not be sent within ${writeLimit / 1000} s`);
      }
    };
    deadline.signal.addEventListener("abort", late, { once: true });
    await new Promise<void>((resolve, reject) => {
      this.#socket.send(Buffer.from(text), { binary: true }, (error) => {
        if (error) {
          reject(new ChannelError(`sending a message: ${error.message}`, { cause: error }));
        } else {
          resolve();
        }
      });
    });
  }

  #end(): void {
    this.#over.abort(new ChannelError("the connection has ended"));
  }

  #ping(): void {
    this.#socket.ping((error?: Error) => {
      if (error) {
        this.#drop(`sending a ping: ${error.message}`);
      }
    });
  }

  #drop(reason: string): void {
    this.#blame(new ChannelError(reason));
    this.#socket.terminate();
  }

  /** The first error is the one to report. */
  #blame(error: unknown): void {
    this.#error ??= toError(error);
  }

  #endOf(code: number, reason: string): ChannelEnd {
    const error =
      this.#error ??
      (peacefulCodes.includes(code)
        ? undefined
        : new ChannelError(
            `the other side closed the connection with code ${code}${reason && `: ${reason}`}`,
          ));
    return { code, ...(error && { error }) };
  }
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) {
    return Buffer.concat(data);
  }
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}

/** As much of a text as fits, without splitting multibyte characters. */
function fitting(reason: string): Buffer {
  const bytes = Buffer.from(reason);
  let end = Math.min(bytes.length, maxReason);
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) {
    end -= 1;
  }
  return bytes.subarray(0, end);
}

/** The connection ended with an error. */
export class ChannelError extends Error {
  override readonly name = "ChannelError";
}

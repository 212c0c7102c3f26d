/**
 * The daemon's end of the RPC: takes the bytes of a connection, and sends the responses of an ApiServer, each
 * as soon as it's ready. As Flux v1's pkg/remote/rpc over Go's net/rpc.
 */
import { upstreamLimits } from "@weir/base";
import {
  JsonSplitter,
  JsonStreamError,
  MessageError,
  parseRequest,
  printResponse,
  type RpcOutcome,
  type RpcRequest,
  type RpcStream,
} from "@weir/flux/websocket";
import { type CallOptions, errorText, runCall } from "./call.ts";

/** The close codes for invalid data. */
const invalidData = 1007;
const tooBig = 1009;

/** The calls of one connection. */
export class RpcSession {
  readonly #stream: RpcStream;
  readonly #options: CallOptions;
  readonly #splitter = new JsonSplitter();
  readonly #atWork = new Set<Promise<void>>();
  #broken = false;
  #givingUp: Promise<void> = Promise.resolve();

  constructor(stream: RpcStream, options: CallOptions) {
    this.#stream = stream;
    this.#options = options;
  }

  /** Handles calls until the connection ends; resolves when none is running anymore. */
  async run(): Promise<void> {
    this.#stream.listen((bytes) => {
      if (!this.#broken) {
        this.#splitter.push(bytes);
        this.#read();
      }
    });
    await this.#stream.closed;
    await Promise.all(this.#atWork);
  }

  /** Resolves when every received call has a response, or has ended the connection. */
  async idle(): Promise<void> {
    while (this.#atWork.size > 0) {
      await Promise.all(this.#atWork);
    }
    await this.#givingUp;
  }

  /**
   * Starts calls while there is capacity and data; otherwise pauses the connection, so that the sender waits.
   */
  #read(): void {
    while (!this.#broken && !this.#stream.signal.aborted && this.#atWork.size < upstreamLimits.calls) {
      const request = this.#next();
      if (request === undefined) {
        this.#stream.resume();
        return;
      }
      this.#begin(request);
    }
    // While a connection is closing, the response to the close frame must still be read.
    if (!this.#stream.signal.aborted) {
      this.#stream.pause();
    }
  }

  #begin(request: RpcRequest): void {
    const work = this.#answer(request).finally(() => {
      this.#atWork.delete(work);
      this.#read();
    });
    this.#atWork.add(work);
  }

  #next(): RpcRequest | undefined {
    try {
      const text = this.#splitter.next();
      return text === undefined ? undefined : parseRequest(text);
    } catch (error) {
      if (error instanceof JsonStreamError || error instanceof MessageError) {
        this.#givingUp = this.#giveUp(error);
        return undefined;
      }
      throw error;
    }
  }

  /** Nothing more can be read; earlier calls still get their responses. */
  async #giveUp(error: Error): Promise<void> {
    this.#broken = true;
    const isLarge = error instanceof JsonStreamError && error.kind === "too-large";
    await Promise.all(this.#atWork);
    await this.#stream.fail(error, isLarge ? tooBig : invalidData);
  }

  /** Never rejects: if the connection ends, there is nobody left to notify. */
  async #answer(request: RpcRequest): Promise<void> {
    const outcome = await runCall(request, this.#options, this.#stream.signal);
    await this.#stream.send(printAnswer(request.id, outcome)).catch(() => undefined);
  }
}

/** A response that can't be written as JSON becomes an error. */
function printAnswer(id: string, outcome: RpcOutcome): string {
  try {
    return printResponse(id, outcome);
  } catch (error) {
    return printResponse(id, { error: errorText(error) });
  }
}

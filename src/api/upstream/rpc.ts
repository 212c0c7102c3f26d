/**
 * The daemon's side of the RPC. In flow the bytes of a connection, out flow answers of an ApiServer, each when it is
 * ready. As Flux v1's pkg/remote/rpc over Go's net/rpc.
 */
import { upstreamLimits } from "@weir/base";
import { type CallOptions, errorText, runCall } from "./call.ts";
import { JsonSplitter, JsonStreamError } from "./json-splitter.ts";
import { MessageError, parseRequest, printResponse, type RpcOutcome, type RpcRequest } from "./messages.ts";

/** A connection as the RPC needs it: bytes in, texts out. */
export interface RpcStream {
  /** Aborted when the connection ends: what is begun for it is then in vain. */
  readonly signal: AbortSignal;
  readonly closed: Promise<unknown>;
  listen(listener: (bytes: Uint8Array) => void): void;
  pause(): void;
  resume(): void;
  send(text: string): Promise<void>;
  /** Ends the connection because of what came over it. */
  fail(error: Error, code: number): Promise<void>;
}

/** Codes of the close frame for what cannot be read on. */
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

  /** Answers calls until the connection ends; resolves when none is at work any more. */
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

  /** Resolves when everything that was asked is answered, or has ended the connection. */
  async idle(): Promise<void> {
    while (this.#atWork.size > 0) {
      await Promise.all(this.#atWork);
    }
    await this.#givingUp;
  }

  /** Begins calls as long as there is room and something to read; what comes beyond waits, and its sender with it. */
  #read(): void {
    while (!this.#broken && !this.#stream.signal.aborted && this.#atWork.size < upstreamLimits.calls) {
      const request = this.#next();
      if (request === undefined) {
        this.#stream.resume();
        return;
      }
      this.#begin(request);
    }
    // Of a connection that is being closed the answer to the goodbye is still to be read.
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

  /** Nothing can be read any more; what was asked before is still answered. */
  async #giveUp(error: Error): Promise<void> {
    this.#broken = true;
    const isLarge = error instanceof JsonStreamError && error.kind === "too-large";
    await Promise.all(this.#atWork);
    await this.#stream.fail(error, isLarge ? tooBig : invalidData);
  }

  /** Never rejects: where the connection ends there is nobody left to tell. */
  async #answer(request: RpcRequest): Promise<void> {
    const outcome = await runCall(request, this.#options, this.#stream.signal);
    await this.#stream.send(printAnswer(request.id, outcome)).catch(() => undefined);
  }
}

/** An answer that cannot be written as JSON becomes an error. */
function printAnswer(id: string, outcome: RpcOutcome): string {
  try {
    return printResponse(id, outcome);
  } catch (error) {
    return printResponse(id, { error: errorText(error) });
  }
}

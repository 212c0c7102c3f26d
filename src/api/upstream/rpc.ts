/**
 * The daemon's side of the RPC. In flow the bytes of a connection, out flow answers of an ApiServer, each when it is
 * ready. As Flux v1's pkg/remote/rpc over Go's net/rpc.
 */
import { orAborted } from "../../base/abort.ts";
import type { Clock } from "../../base/clock.ts";
import { Deadline } from "../../base/deadline.ts";
import { messageOf } from "../../base/errors.ts";
import type { Logger } from "../../base/logger.ts";
import type { ApiServer } from "../types/api-server.ts";
import { refusalBy } from "./envelope.ts";
import { NoSuchMethodError } from "./errors.ts";
import { JsonSplitter, JsonStreamError } from "./json-splitter.ts";
import {
  argumentOf,
  MessageError,
  parseRequest,
  printResponse,
  type RpcOutcome,
  type RpcRequest,
} from "./messages.ts";
import { methods, type RpcCall, type RpcMethod, serviceName } from "./methods.ts";

/** What a connection is served with. */
export interface RpcOptions {
  readonly api: ApiServer;
  /** How long a call may take, in milliseconds. */
  readonly rpcTimeout: number;
  readonly logger: Logger;
  readonly clock: Clock;
}

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

/** So many calls are at work at once; what comes beyond waits, and its sender with it. */
const maxCalls = 100;

/** Codes of the close frame for what cannot be read on. */
const invalidData = 1007;
const tooBig = 1009;

/** Answers the calls of a connection until it ends; resolves when no call is at work any more. */
export async function serveRpc(stream: RpcStream, options: RpcOptions): Promise<void> {
  await new RpcSession(stream, options).run();
}

class RpcSession {
  readonly #stream: RpcStream;
  readonly #options: RpcOptions;
  readonly #splitter = new JsonSplitter();
  readonly #atWork = new Set<Promise<void>>();
  #broken = false;

  constructor(stream: RpcStream, options: RpcOptions) {
    this.#stream = stream;
    this.#options = options;
  }

  async run(): Promise<void> {
    this.#stream.listen((bytes) => {
      this.#splitter.push(bytes);
      this.#read();
    });
    await this.#stream.closed;
    await Promise.all(this.#atWork);
  }

  /** Begins calls as long as there is room and something to read. */
  #read(): void {
    while (!this.#broken && !this.#stream.signal.aborted && this.#atWork.size < maxCalls) {
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
        void this.#giveUp(error);
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
    const outcome = await this.#call(request);
    await this.#stream.send(printAnswer(request.id, outcome)).catch(() => undefined);
  }

  async #call(request: RpcRequest): Promise<RpcOutcome> {
    try {
      const { name, method } = findMethod(request.method);
      if (request.params === undefined) {
        throw new MessageError("jsonrpc: request body missing params");
      }
      return await this.#run(name, method, method.prepare(argumentOf(request.params)));
    } catch (error) {
      return { error: textOf(error) };
    }
  }

  async #run(name: string, { envelope }: RpcMethod, call: RpcCall): Promise<RpcOutcome> {
    const { api, logger } = this.#options;
    try {
      return { result: envelope.wrap(await this.#withinTime(call, (signal) => call.run(api, signal))) };
    } catch (error) {
      logger.log({ method: name, error: messageOf(error) });
      const result = refusalBy(envelope, error);
      return result === undefined ? { error: textOf(error) } : { result };
    }
  }

  /** A call whose time is up is answered even where the work goes on. */
  async #withinTime<T>({ timed }: RpcCall, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { clock, rpcTimeout } = this.#options;
    const { signal } = this.#stream;
    if (!timed) {
      return orAborted(work(signal), signal);
    }
    using deadline = new Deadline(clock, rpcTimeout, signal);
    try {
      return await orAborted(work(deadline.signal), deadline.signal);
    } catch (error) {
      throw deadline.expired ? new Error("context deadline exceeded", { cause: error }) : error;
    }
  }
}

/** In Go's words, where there is none. */
function findMethod(called: string): { readonly name: string; readonly method: RpcMethod } {
  const dot = called.lastIndexOf(".");
  if (dot < 0) {
    throw new NoSuchMethodError(`rpc: service/method request ill-formed: ${called}`);
  }
  if (called.slice(0, dot) !== serviceName) {
    throw new NoSuchMethodError(`rpc: can't find service ${called}`);
  }
  const name = called.slice(dot + 1);
  const method = methods.get(name);
  if (method === undefined) {
    throw new NoSuchMethodError(`rpc: can't find method ${called}`);
  }
  return { name, method };
}

/** Nothing but a text that is not empty is an error to Go. */
function textOf(error: unknown): string {
  return messageOf(error) || "unspecified error";
}

/** An answer that cannot be written as JSON becomes an error. */
function printAnswer(id: string, outcome: RpcOutcome): string {
  try {
    return printResponse(id, outcome);
  } catch (error) {
    return printResponse(id, { error: textOf(error) });
  }
}

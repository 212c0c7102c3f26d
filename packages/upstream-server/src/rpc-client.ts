/**
 * The client side of the RPC: numbers its calls, and passes each response to its caller, in whatever order
 * responses arrive. After Go's net/rpc client, with a time limit and a signal for each call.
 */
import { type Clock, Deadline, type JsonValue, orAborted, toError, upstreamLimits } from "@weir/base";
import {
  defaultLimits,
  JsonSplitter,
  parseResponse,
  printRequest,
  type RpcOutcome,
  type RpcResponse,
  type RpcStream,
  serviceName,
} from "@weir/flux/websocket";
import { FatalError, RemoteError, unavailableError } from "./errors.ts";

/** The limits of a call, in milliseconds. */
export interface CallLimits {
  readonly timeout: number;
}

/** The close code for invalid data. */
const invalidData = 1007;

/** The calls over one connection. */
export class RpcClient {
  readonly #stream: RpcStream;
  readonly #clock: Clock;
  readonly #splitter = new JsonSplitter({ ...defaultLimits, maxSize: upstreamLimits.answer });
  readonly #waiting = new Map<number, (response: RpcOutcome | FatalError) => void>();
  #calls = 0;

  constructor(stream: RpcStream, clock: Clock) {
    this.#stream = stream;
    this.#clock = clock;
    stream.signal.addEventListener("abort", () => this.#endAll(new FatalError("unexpected EOF")), {
      once: true,
    });
    stream.listen((bytes) => this.#read(bytes));
  }

  /**
   * Calls a method of the daemon. Rejects with RemoteError if the daemon responds with an error, FatalError
   * if the connection fails, a FluxError (unavailable) if there is no connection or no response in time, or
   * the signal's reason.
   */
  async call(
    method: string,
    argument: JsonValue,
    { timeout }: CallLimits,
    signal: AbortSignal,
  ): Promise<JsonValue> {
    signal.throwIfAborted();
    if (this.#stream.signal.aborted) {
      throw unavailableError(new Error("the daemon is not connected"));
    }
    const name = `${serviceName}.${method}`;
    this.#calls += 1;
    const id = this.#calls;
    using deadline = new Deadline(this.#clock, timeout, signal);
    try {
      return resultOf(await orAborted(this.#answerTo(id, name, argument), deadline.signal));
    } catch (error) {
      throw deadline.expired
        ? unavailableError(
            new Error(`the daemon did not answer ${name} within ${timeout / 1000} s`, { cause: error }),
          )
        : error;
    } finally {
      this.#waiting.delete(id);
    }
  }

  #answerTo(id: number, name: string, argument: JsonValue): Promise<RpcOutcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, (response) => {
        if (response instanceof FatalError) {
          reject(response);
        } else {
          resolve(response);
        }
      });
      this.#stream
        .send(printRequest(id, name, argument))
        .catch((error: unknown) => reject(new FatalError("sending a request failed", { cause: error })));
    });
  }

  #read(bytes: Uint8Array): void {
    if (this.#stream.signal.aborted) {
      return;
    }
    this.#splitter.push(bytes);
    try {
      for (let text = this.#splitter.next(); text !== undefined; text = this.#splitter.next()) {
        this.#hand(parseResponse(text));
      }
    } catch (error) {
      this.#giveUp(toError(error));
    }
  }

  /** A response that nobody waits for anymore is dropped. */
  #hand({ id, outcome }: RpcResponse): void {
    if (id !== undefined) {
      this.#waiting.get(id)?.(outcome);
    }
  }

  #giveUp(error: Error): void {
    this.#endAll(new FatalError(`reading a response: ${error.message}`, { cause: error }));
    void this.#stream.fail(error, invalidData);
  }

  #endAll(error: FatalError): void {
    for (const end of this.#waiting.values()) {
      end(error);
    }
    this.#waiting.clear();
  }
}

function resultOf(outcome: RpcOutcome): JsonValue {
  if ("error" in outcome) {
    throw new RemoteError(outcome.error);
  }
  return outcome.result;
}

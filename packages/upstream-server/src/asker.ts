import { type Decode, JsonReader, type JsonValue, messageOf } from "@weir/base";
import { FluxError } from "@weir/flux";
import { decodeFluxError } from "@weir/flux/api";
import { applicationError, FatalError, RemoteError } from "./errors.ts";
import type { Protocol } from "./protocol.ts";
import type { CallLimits } from "./rpc-client.ts";

/** Calls a method and resolves to its result; see RpcClient.call. */
export type Call = (
  method: string,
  argument: JsonValue,
  limits: CallLimits,
  signal: AbortSignal,
) => Promise<JsonValue>;

/** In milliseconds; longer than a daemon's own limit of 10 s. */
export const usualLimits: CallLimits = { timeout: 20_000 };

/** A method call, and the decoder of its response. */
export interface Question<T> {
  readonly method: string;
  readonly argument: JsonValue;
  readonly decode: Decode<T>;
  readonly limits?: CallLimits;
}

/** Calls methods in the format of one protocol version. */
export class Asker {
  readonly protocol: Protocol;
  readonly #call: Call;

  constructor(call: Call, protocol: Protocol) {
    this.#call = call;
    this.protocol = protocol;
  }

  /** Resolves to the decoded result of a call; rejects as described at remoteDaemon. */
  async ask<T>(
    { method, argument, decode, limits = usualLimits }: Question<T>,
    signal: AbortSignal,
  ): Promise<T> {
    if (!this.protocol.envelope) {
      return readable(method, await this.#bareCall(method, argument, limits, signal), decode);
    }
    const answer = await this.#call(method, argument, limits, signal);
    return readable(method, answer, (value) => unwrap(value, decode));
  }

  /** Errors that aren't fatal consist only of a line of text. */
  async #bareCall(
    method: string,
    argument: JsonValue,
    limits: CallLimits,
    signal: AbortSignal,
  ): Promise<JsonValue> {
    try {
      return await this.#call(method, argument, limits, signal);
    } catch (error) {
      throw error instanceof RemoteError ? applicationError(error) : error;
    }
  }
}

/** Go's message for a method that doesn't exist. */
export function isMissing(error: unknown, method: string): boolean {
  return error instanceof RemoteError && error.message === `rpc: can't find method RPCServer.${method}`;
}

/** Decodes a response. An invalid response is as bad as none: throws FatalError. */
export function readable<T>(method: string, answer: JsonValue, decode: Decode<T>): T {
  try {
    return decode(answer, "");
  } catch (error) {
    if (error instanceof FluxError) {
      throw error;
    }
    throw new FatalError(`reading the response to ${method}: ${messageOf(error)}`, { cause: error });
  }
}

/** Throws the API error in a response, if there is one. */
function unwrap<T>(answer: JsonValue, decode: Decode<T>): T {
  const reader = new JsonReader(answer);
  const refusal = reader.value("ApplicationError", decodeRefusal);
  if (refusal !== undefined) {
    throw refusal;
  }
  return decode(reader.value("Result", (value) => value) ?? null, "Result");
}

/** An error without any content is still an error. */
function decodeRefusal(value: JsonValue): FluxError {
  return decodeFluxError(value) ?? new FluxError("server", "unspecified error", "");
}

import { type Decode, JsonReader, type JsonValue, messageOf } from "@weir/base";
import { FluxError } from "../../errors/flux-error.ts";
import { decodeFluxError } from "../types/errors.ts";
import { applicationError, FatalError, RemoteError } from "./errors.ts";
import type { Protocol } from "./protocol.ts";
import type { CallLimits } from "./rpc-client.ts";

/** Calls a method and resolves to its result; RpcClient.call. */
export type Call = (
  method: string,
  argument: JsonValue,
  limits: CallLimits,
  signal: AbortSignal,
) => Promise<JsonValue>;

/** Longer than the 10 s that a daemon gives itself, in milliseconds. */
export const usualLimits: CallLimits = { timeout: 20_000 };

/** A call of a method, and how to read its answer. */
export interface Question<T> {
  readonly method: string;
  readonly argument: JsonValue;
  readonly decode: Decode<T>;
  readonly limits?: CallLimits;
}

/** Asks in the form of one version. */
export class Asker {
  readonly protocol: Protocol;
  readonly #call: Call;

  constructor(call: Call, protocol: Protocol) {
    this.#call = call;
    this.protocol = protocol;
  }

  /** Resolves to the decoded result of a call; rejects as remoteDaemon says. */
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

  /** Of what is not fatal, a line of text is all there is. */
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

/** Go's words for a method that is not served. */
export function isMissing(error: unknown, method: string): boolean {
  return error instanceof RemoteError && error.message === `rpc: can't find method RPCServer.${method}`;
}

/** Decodes an answer. One that does not read as what was asked for is as bad as none: throws FatalError. */
export function readable<T>(method: string, answer: JsonValue, decode: Decode<T>): T {
  try {
    return decode(answer, "");
  } catch (error) {
    if (error instanceof FluxError) {
      throw error;
    }
    throw new FatalError(`reading the answer of ${method}: ${messageOf(error)}`, { cause: error });
  }
}

/** Throws the error of the API that an answer holds. */
function unwrap<T>(answer: JsonValue, decode: Decode<T>): T {
  const reader = new JsonReader(answer);
  const refusal = reader.value("ApplicationError", decodeRefusal);
  if (refusal !== undefined) {
    throw refusal;
  }
  return decode(reader.value("Result", (value) => value) ?? null, "Result");
}

/** An error that says nothing is one all the same. */
function decodeRefusal(value: JsonValue): FluxError {
  return decodeFluxError(value) ?? new FluxError("server", "unspecified error", "");
}

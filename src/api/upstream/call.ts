import { type Clock, Deadline, type JsonValue, type Logger, messageOf, orAborted } from "@weir/base";
import { type ApiServer, inspectMethod } from "@weir/flux/api";
import {
  argumentOf,
  type Inspect,
  inspectionMethod,
  MessageError,
  methods,
  type RpcCall,
  type RpcMethod,
  type RpcOutcome,
  type RpcRequest,
  refusalBy,
  serviceName,
} from "@weir/flux/websocket";
import { NoSuchMethodError } from "./errors.ts";

/**
 * Finds the method, decodes its argument, calls it, and encodes the result; never rejects. `signal` is
 * aborted when the connection ends: then nobody waits for the result anymore.
 */
export async function runCall(
  request: RpcRequest,
  options: CallOptions,
  signal: AbortSignal,
): Promise<RpcOutcome> {
  try {
    const { name, method } = findMethod(request.method, options);
    if (request.params === undefined) {
      throw new MessageError("jsonrpc: request body missing params");
    }
    return await run(name, method, method.prepare(argumentOf(request.params)), options, signal);
  } catch (error) {
    return { error: errorText(error) };
  }
}

export interface CallOptions {
  readonly api: ApiServer;
  /** Answers requests to Weir's own routes; if absent, there's no such method, as in Flux v1. */
  readonly inspect?: Inspect;
  /** The time limit of a call, in milliseconds. */
  readonly rpcTimeout: number;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** An error as a line of text; in Go's RPC, only non-empty text is an error. */
export function errorText(error: unknown): string {
  return messageOf(error) || "unspecified error";
}

async function run(
  name: string,
  { envelope }: RpcMethod,
  call: RpcCall,
  options: CallOptions,
  signal: AbortSignal,
): Promise<RpcOutcome> {
  try {
    return { result: envelope.wrap(await withinTime(call, options, signal)) };
  } catch (error) {
    if (!signal.aborted) {
      options.logger.log({ method: name, error: messageOf(error) });
    }
    const result = refusalBy(envelope, error);
    return result === undefined ? { error: errorText(error) } : { result };
  }
}

/** A call that exceeds its time limit gets a response even if the work continues. */
async function withinTime(
  call: RpcCall,
  { api, clock, rpcTimeout }: CallOptions,
  signal: AbortSignal,
): Promise<JsonValue> {
  if (call.limit === "none") {
    return orAborted(call.run(api, signal), signal);
  }
  using deadline = new Deadline(clock, call.limit === "usual" ? rpcTimeout : call.limit, signal);
  try {
    return await orAborted(call.run(api, deadline.signal), deadline.signal);
  } catch (error) {
    throw deadline.expired ? new Error("context deadline exceeded", { cause: error }) : error;
  }
}

/** Throws Go's errors if there is no such method. */
function findMethod(
  called: string,
  { inspect }: CallOptions,
): { readonly name: string; readonly method: RpcMethod } {
  const dot = called.lastIndexOf(".");
  if (dot < 0) {
    throw new NoSuchMethodError(`rpc: service/method request ill-formed: ${called}`);
  }
  if (called.slice(0, dot) !== serviceName) {
    throw new NoSuchMethodError(`rpc: can't find service ${called}`);
  }
  const name = called.slice(dot + 1);
  const method = name === inspectMethod && inspect ? inspectionMethod(inspect) : methods.get(name);
  if (method === undefined) {
    throw new NoSuchMethodError(`rpc: can't find method ${called}`);
  }
  return { name, method };
}

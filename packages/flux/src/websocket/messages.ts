/**
 * The messages of the RPC as text, after Go's net/rpc/jsonrpc (JSON-RPC 1.0): a request has one parameter; an
 * ID can be any JSON and is returned unchanged. Both ends of a connection use this file.
 */
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  messageOf,
  stringifyGoJson,
} from "@weir/base";
import { type RawMember, rawMembers } from "./raw-members.ts";

/** A text in the stream isn't a valid message; what follows it can't be trusted either. */
export class MessageError extends Error {
  override readonly name = "MessageError";
}

/** A received call. */
export interface RpcRequest {
  /** "" if there was none. */
  readonly method: string;
  /** Undefined if there were none. */
  readonly params: JsonValue | undefined;
  /** The JSON text of the ID; "null" if there was none. */
  readonly id: string;
}

/** The outcome of a call. */
export type RpcOutcome = { readonly result: JsonValue } | { readonly error: string };

/** A received response. */
export interface RpcResponse {
  /** The number of the request; undefined if it isn't one of ours. */
  readonly id: number | undefined;
  readonly outcome: RpcOutcome;
}

/** Parses a request; keys are case-insensitive, and the last of several counts. Throws MessageError. */
export function parseRequest(text: string): RpcRequest {
  const object = parseObject(text);
  const members = [...rawMembers(text)];
  const method = valueOf(object, members, "method") ?? "";
  if (typeof method !== "string") {
    throw new MessageError("the method of a request is not a string");
  }
  return {
    method,
    params: valueOf(object, members, "params"),
    id: lastMember(members, "id")?.text ?? "null",
  };
}

/** A response, with the newline that Go's encoder appends; `id` is JSON text. */
export function printResponse(id: string, outcome: RpcOutcome): string {
  const [result, error] = "result" in outcome ? [outcome.result, null] : [null, outcome.error];
  return `{"id":${id},"result":${print(result)},"error":${print(error)}}\n`;
}

/** A call with its single argument. */
export function printRequest(id: number, method: string, argument: JsonValue): string {
  return `{"method":${print(method)},"params":[${print(argument)}],"id":${id}}\n`;
}

/** Parses a response. Throws MessageError, also if it contains neither a result nor an error text. */
export function parseResponse(text: string): RpcResponse {
  const object = parseObject(text);
  const members = [...rawMembers(text)];
  const id = valueOf(object, members, "id");
  return {
    id: typeof id === "number" && Number.isSafeInteger(id) ? id : undefined,
    outcome: outcomeOf(valueOf(object, members, "result"), valueOf(object, members, "error")),
  };
}

/**
 * The single argument in the parameters; null if there is none. Throws MessageError if they aren't a list.
 */
export function argumentOf(params: JsonValue): JsonValue {
  if (!isJsonArray(params)) {
    throw new MessageError(`json: cannot unmarshal ${goKind(params)} into Go value of type [1]interface {}`);
  }
  return params[0] ?? null;
}

/** Go's name for the kind of a JSON value in its errors. */
export function goKind(value: JsonValue): string {
  if (value === null) {
    return "null";
  }
  if (typeof value === "boolean") {
    return "bool";
  }
  return isJsonArray(value) ? "array" : typeof value;
}

function outcomeOf(result: JsonValue | undefined, error: JsonValue | undefined): RpcOutcome {
  if (error === undefined && result !== undefined) {
    return { result };
  }
  if (typeof error !== "string") {
    throw new MessageError(`invalid error ${error === undefined ? "<nil>" : print(error)}`);
  }
  return { error: error === "" ? "unspecified error" : error };
}

function parseObject(text: string): JsonObject {
  const value = parseJson(text);
  if (!isJsonObject(value)) {
    throw new MessageError("a message is not a JSON object");
  }
  return value;
}

function parseJson(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    throw new MessageError(`a message is not JSON: ${messageOf(error)}`, { cause: error });
  }
}

/** As in Go, null counts as absent. */
function valueOf(object: JsonObject, members: readonly RawMember[], name: string): JsonValue | undefined {
  const member = lastMember(members, name);
  return member === undefined ? undefined : (object[member.key] ?? undefined);
}

function lastMember(members: readonly RawMember[], name: string): RawMember | undefined {
  return members.findLast(({ key }) => key.length === name.length && key.toLowerCase() === name);
}

function print(value: JsonValue): string {
  return stringifyGoJson(value, { sortKeys: false });
}

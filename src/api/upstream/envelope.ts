import type { JsonObject, JsonValue } from "@weir/base";
import { FluxError } from "../../errors/flux-error.ts";
import { encodeFluxError } from "../types/errors.ts";

/** How a method wraps what it answers, so that errors of the API cross whole and not as a line of text. */
export interface Envelope {
  wrap(result: JsonValue): JsonValue;
  /** The answer that holds an error; undefined where errors go as text. */
  refuse(error: FluxError): JsonValue | undefined;
}

/** The result as it is; errors go as text. */
export const bare: Envelope = { wrap: (result) => result, refuse: () => undefined };

/** {"Result", "ApplicationError"}; `zero` is the Result beside an error, as Go writes its empty value. */
export function resultOr(zero: JsonValue): Envelope {
  return {
    wrap: (result) => envelope(result, null),
    refuse: (error) => envelope(zero, encodeFluxError(error)),
  };
}

/** {"ApplicationError"} alone, for what answers nothing. */
export const errorOnly: Envelope = {
  wrap: () => ({ ApplicationError: null }),
  refuse: (error) => ({ ApplicationError: encodeFluxError(error) }),
};

/** Anything thrown by a method as what crosses: an answer that holds it, or undefined for text. */
export function refusalBy(envelope: Envelope, error: unknown): JsonValue | undefined {
  return error instanceof FluxError ? envelope.refuse(error) : undefined;
}

function envelope(result: JsonValue, error: JsonObject | null): JsonObject {
  return { Result: result, ApplicationError: error };
}

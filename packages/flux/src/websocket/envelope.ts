import type { JsonObject, JsonValue } from "@weir/base";
import { encodeFluxError } from "../api/errors.ts";
import { FluxError } from "../errors/flux-error.ts";

/** How a method wraps its response, so that API errors are sent in full and not as a line of text. */
export interface Envelope {
  wrap(result: JsonValue): JsonValue;
  /** The response for an error; undefined if errors are sent as text. */
  refuse(error: FluxError): JsonValue | undefined;
}

/** The result as it is; errors are sent as text. */
export const bare: Envelope = { wrap: (result) => result, refuse: () => undefined };

/** {"Result", "ApplicationError"}; `zero` is the Result of an error response, Go's zero value. */
export function resultOr(zero: JsonValue): Envelope {
  return {
    wrap: (result) => envelope(result, null),
    refuse: (error) => envelope(zero, encodeFluxError(error)),
  };
}

/** Only {"ApplicationError"}, for methods without a result. */
export const errorOnly: Envelope = {
  wrap: () => ({ ApplicationError: null }),
  refuse: (error) => ({ ApplicationError: encodeFluxError(error) }),
};

/** The response for anything that a method throws; undefined if it's sent as text. */
export function refusalBy(envelope: Envelope, error: unknown): JsonValue | undefined {
  return error instanceof FluxError ? envelope.refuse(error) : undefined;
}

function envelope(result: JsonValue, error: JsonObject | null): JsonObject {
  return { Result: result, ApplicationError: error };
}

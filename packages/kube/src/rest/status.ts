import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@weir/base";
import { type ApiStatus, isStatusBody, KubeApiError, type StatusCause } from "../api-status.ts";

/** The maximum quote from a response that isn't a Status. */
const quoteLength = 200;

/** The refusal in an error response, from its Status or, if a proxy responded, from its text. */
export function refusalOf(code: number, text: string): KubeApiError {
  const body = parse(text);
  return isStatusBody(body) ? statusError(body, code) : new KubeApiError(plainStatus(code, text));
}

/** A Status body as an error; `code` is used if the body has none. */
export function statusError(body: JsonObject, code = 500): KubeApiError {
  const details = body["details"];
  return new KubeApiError({
    code: typeof body["code"] === "number" ? body["code"] : code,
    reason: textOf(body["reason"]) ?? "",
    message: textOf(body["message"]) ?? `the server answered with status ${code}`,
    ...(isJsonObject(details) ? { details: detailsOf(details) } : {}),
  });
}

function plainStatus(code: number, text: string): ApiStatus {
  const quote = text.trim().slice(0, quoteLength);
  return {
    code,
    reason: reasons[code] ?? "",
    message: `the server answered with status ${code}${quote === "" ? "" : `: ${quote}`}`,
  };
}

const reasons: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  406: "NotAcceptable",
  409: "Conflict",
  410: "Gone",
  413: "RequestEntityTooLarge",
  415: "UnsupportedMediaType",
  422: "Invalid",
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
  504: "Timeout",
};

function detailsOf(details: JsonObject): NonNullable<ApiStatus["details"]> {
  const { name, group, kind, causes, retryAfterSeconds } = details;
  return {
    ...(typeof name === "string" ? { name } : {}),
    ...(typeof group === "string" ? { group } : {}),
    ...(typeof kind === "string" ? { kind } : {}),
    ...(isJsonArray(causes) ? { causes: causes.flatMap(causeOf) } : {}),
    ...(typeof retryAfterSeconds === "number" ? { retryAfterSeconds } : {}),
  };
}

function causeOf(cause: JsonValue): readonly StatusCause[] {
  if (!isJsonObject(cause)) {
    return [];
  }
  const { reason, message, field } = cause;
  return [
    {
      ...(typeof reason === "string" ? { reason } : {}),
      ...(typeof message === "string" ? { message } : {}),
      ...(typeof field === "string" ? { field } : {}),
    },
  ];
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

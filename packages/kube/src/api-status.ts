import { isJsonObject, type JsonObject } from "@weir/base";

/** One cause of a refusal, as listed under details.causes of a Status. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** The error response of an API server: the fields of a metav1.Status that explain a refusal. */
export interface ApiStatus {
  readonly code: number;
  /** The machine-readable reason: NotFound, AlreadyExists, Conflict, Invalid, Forbidden, Expired, … or "". */
  readonly reason: string;
  readonly message: string;
  readonly details?: {
    readonly name?: string;
    readonly group?: string;
    readonly kind?: string;
    readonly causes?: readonly StatusCause[];
    readonly retryAfterSeconds?: number;
  };
}

/** The API server refused a request. */
export class KubeApiError extends Error {
  override readonly name = "KubeApiError";
  readonly status: ApiStatus;

  constructor(status: ApiStatus, options?: ErrorOptions) {
    super(status.message, options);
    this.status = status;
  }
}

/** True for a KubeApiError with the given reason, e.g. "NotFound". */
export function isApiReason(error: unknown, reason: string): error is KubeApiError {
  return error instanceof KubeApiError && error.status.reason === reason;
}

/** True if a JSON body is a metav1.Status. */
export function isStatusBody(body: unknown): body is JsonObject {
  return isJsonObject(body) && body["kind"] === "Status";
}

import { isJsonObject, type JsonObject } from "@weir/base";

/** One reason for a refusal, as a Status lists it under details.causes. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** What the API server answers where it refuses: the parts of a metav1.Status that tell why. */
export interface ApiStatus {
  readonly code: number;
  /** A word for machines: NotFound, AlreadyExists, Conflict, Invalid, Forbidden, Expired, … or "". */
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

/** The API server answered with a refusal. */
export class KubeApiError extends Error {
  override readonly name = "KubeApiError";
  readonly status: ApiStatus;

  constructor(status: ApiStatus, options?: ErrorOptions) {
    super(status.message, options);
    this.status = status;
  }
}

/** True for a KubeApiError with that reason, e.g. "NotFound". */
export function isApiReason(error: unknown, reason: string): error is KubeApiError {
  return error instanceof KubeApiError && error.status.reason === reason;
}

/** True for a JSON body that is a metav1.Status. */
export function isStatusBody(body: unknown): body is JsonObject {
  return isJsonObject(body) && body["kind"] === "Status";
}

/** The refusals of the API server (metav1.Status), with its own words, codes and details. */
import { type ApiStatus, KubeApiError, type StatusCause } from "@weir/kube";
import { quote } from "./field-errors.ts";

/** What a resource is called in messages: "deployments.apps", or "pods" of the core group. */
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/** A resource as messages name it. */
export function qualified({ group, resource }: GroupResource): string {
  return group === "" ? resource : `${resource}.${group}`;
}

/** 404: there is no such object. */
export function notFoundError(resource: GroupResource, name: string): KubeApiError {
  return about(404, "NotFound", resource, name, `${qualified(resource)} ${quote(name)} not found`);
}

/** 409: the name is taken. */
export function alreadyExistsError(resource: GroupResource, name: string): KubeApiError {
  return about(409, "AlreadyExists", resource, name, `${qualified(resource)} ${quote(name)} already exists`);
}

/** 409: someone else was faster, or a precondition does not hold. */
export function conflictError(resource: GroupResource, name: string, why: string): KubeApiError {
  const message = `Operation cannot be fulfilled on ${qualified(resource)} ${quote(name)}: ${why}`;
  return about(409, "Conflict", resource, name, message);
}

/** What a conflict says where an update was made from an outdated object. */
export const outdatedMessage =
  "the object has been modified; please apply your changes to the latest version and try again";

/** 403: the request is understood and refused. */
export function forbiddenError(resource: GroupResource, name: string, why: string): KubeApiError {
  const subject = name === "" ? qualified(resource) : `${qualified(resource)} ${quote(name)}`;
  return about(403, "Forbidden", resource, name, `${subject} is forbidden: ${why}`);
}

/** 409 of an apply patch: other field managers own what it wants to change. */
export function applyConflictError(causes: readonly StatusCause[], message: string): KubeApiError {
  return new KubeApiError({ code: 409, reason: "Conflict", message, details: { causes } });
}

/** 400: the request makes no sense. */
export function badRequestError(message: string): KubeApiError {
  return new KubeApiError({ code: 400, reason: "BadRequest", message });
}

/** 401: no token, or the wrong one. */
export function unauthorizedError(): KubeApiError {
  return new KubeApiError({ code: 401, reason: "Unauthorized", message: "Unauthorized" });
}

/** 405: the resource is there, but not this verb. */
export function methodNotAllowedError(): KubeApiError {
  const message = "the server does not allow this method on the requested resource";
  return new KubeApiError({ code: 405, reason: "MethodNotAllowed", message, details: {} });
}

/** 404 of a path under which nothing is served. */
export function unknownPathError(): KubeApiError {
  const message = "the server could not find the requested resource";
  return new KubeApiError({ code: 404, reason: "NotFound", message, details: {} });
}

/** 406: none of the formats asked for can be given. */
export function notAcceptableError(accepted: readonly string[]): KubeApiError {
  const message = `only the following media types are accepted: ${accepted.join(", ")}`;
  return new KubeApiError({ code: 406, reason: "NotAcceptable", message });
}

/** 406 of media types that are given nowhere; this is said before anybody looks at the resource. */
export function unknownMediaTypeError(accepted: readonly string[]): KubeApiError {
  const message = `406: Not Acceptable\n\nAvailable representations: ${accepted.join(", ")}`;
  return new KubeApiError({ code: 406, reason: "NotAcceptable", message, details: {} });
}

/** 415: the body is in a format that cannot be read here. */
export function unsupportedMediaTypeError(accepted: readonly string[]): KubeApiError {
  const list = accepted.join(", ");
  const message = `the body of the request was in an unknown format - accepted media types include: ${list}`;
  return new KubeApiError({ code: 415, reason: "UnsupportedMediaType", message });
}

/** 415 of a content type that no resource takes for such a request. */
export function unknownContentTypeError(): KubeApiError {
  const message = "415: Unsupported Media Type";
  return new KubeApiError({ code: 415, reason: "UnsupportedMediaType", message, details: {} });
}

/** 413: the body, or what it asks for, is beyond a limit. */
export function tooLargeError(why: string): KubeApiError {
  const message = `Request entity too large: ${why}`;
  return new KubeApiError({ code: 413, reason: "RequestEntityTooLarge", message });
}

/** 422 of a patch that is well formed but cannot be carried out. */
export function unprocessableError(): KubeApiError {
  const message = "the server rejected our request due to an error in our request";
  return new KubeApiError({ code: 422, reason: "Invalid", message, details: {} });
}

/** 410: the history that is asked for is no longer kept. */
export function expiredError(message: string): KubeApiError {
  return new KubeApiError({ code: 410, reason: "Expired", message });
}

/** 410 of a watch whose resource version lies before what is kept. */
export function tooOldError(asked: number, oldest: number): KubeApiError {
  return expiredError(`too old resource version: ${asked} (${oldest})`);
}

/** 504 of a read at a resource version that has not been yet. */
export function tooLargeVersionError(asked: number, current: number): KubeApiError {
  const causes = [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }];
  const message = `Timeout: Too large resource version: ${asked}, current: ${current}`;
  return new KubeApiError({
    code: 504,
    reason: "Timeout",
    message,
    details: { causes, retryAfterSeconds: 1 },
  });
}

/** 500: a fault of the server; what went wrong is in the message. */
export function internalError(why: string): KubeApiError {
  const message = `Internal error occurred: ${why}`;
  return new KubeApiError({
    code: 500,
    reason: "InternalError",
    message,
    details: { causes: [{ message: why }] },
  });
}

/** 500 of a fault of the request that the API server has no code for: it gives the words alone. */
export function plainError(message: string): KubeApiError {
  return new KubeApiError({ code: 500, reason: "", message });
}

/** What the API server says of a kind that it has never heard of. */
export function unregisteredMessage(apiVersion: string, kind: string): string {
  return `no kind ${quote(kind)} is registered for version ${quote(apiVersion)} in scheme "pkg/runtime/scheme.go:110"`;
}

/** The metav1.Status that is sent for a refusal. */
export function statusBody(status: ApiStatus): object {
  const { code, reason, message, details } = status;
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    ...(reason === "" ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code,
  };
}

function about(
  code: number,
  reason: string,
  resource: GroupResource,
  name: string,
  message: string,
): KubeApiError {
  const details = {
    ...(name === "" ? {} : { name }),
    ...(resource.group === "" ? {} : { group: resource.group }),
    kind: resource.resource,
  };
  return new KubeApiError({ code, reason, message, details });
}

import { messageOf, quoteGo } from "@weir/base";
import { type ApiStatus, KubeApiError, PathNameError, type StatusCause } from "@weir/kube";
import { PatchError } from "@weir/kube/patch";
import { ConnectionError } from "@weir/kube/rest";

/**
 * What kubectl prints to stderr if the server refuses a request. `verb` is the attempted operation:
 * "creating", "patching", "deleting", …; the source is always standard input. Scripts and people rely on
 * these texts. Same as kubectl's checkErr, without the final empty line.
 */
export function kubectlMessage(error: unknown, verb: string): string {
  if (error instanceof KubeApiError) {
    const { status } = error;
    return status.reason === "Invalid" ? invalidMessage(status, verb) : refusedMessage(status, verb);
  }
  if (error instanceof PatchError || error instanceof PathNameError) {
    return `error: ${inContext(verb, error.message)}`;
  }
  const refusing = error instanceof ConnectionError && isRefusedConnection(error.cause);
  return refusing
    ? `The connection to the server ${new URL(error.server).host} was refused - did you specify the right host or port?`
    : `Unable to connect to the server: ${messageOf(error)}`;
}

/** What kubectl 1.20 prints for an object of a kind that the server doesn't have. */
export function unknownKindMessage({ apiVersion, kind }: { apiVersion: string; kind: string }): string {
  return `error: unable to recognize "STDIN": no matches for kind ${quoteGo(kind)} in version ${quoteGo(apiVersion)}`;
}

function invalidMessage({ details, message }: ApiStatus, verb: string): string {
  if (details === undefined) {
    return `The request is invalid: ${inContext(verb, message)}`;
  }
  const causes = distinct((details.causes ?? []).map(printCause));
  const { kind = "", name = "" } = details;
  if (kind !== "" || name !== "") {
    return withCauses(`The ${kind} ${quoteGo(name)} is invalid`, causes);
  }
  return causes.length === 0
    ? `The request is invalid: ${inContext(verb, message)}`
    : withCauses("The request is invalid", causes);
}

function withCauses(subject: string, causes: readonly string[]): string {
  const [only, ...others] = causes;
  if (only === undefined) {
    return subject;
  }
  return others.length === 0
    ? `${subject}: ${only}`
    : [`${subject}: `, ...causes.map((cause) => `* ${cause}`)].join("\n");
}

function printCause({ field = "", message = "" }: StatusCause): string {
  return `${field}: ${message}`;
}

function refusedMessage({ reason, message }: ApiStatus, verb: string): string {
  if (reason === "Unauthorized") {
    return `error: You must be logged in to the server (${inContext(verb, message)})`;
  }
  const word = reason === "" ? "" : ` (${reason})`;
  return `Error from server${word}: ${inContext(verb, message)}`;
}

function inContext(verb: string, message: string): string {
  return `error when ${verb} "STDIN": ${message}`;
}

function isRefusedConnection(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "ECONNREFUSED";
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

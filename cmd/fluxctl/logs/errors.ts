import { AdvisedError, messageOf } from "@weir/base";
import { KubeApiError } from "@weir/kube";

/** Logs can't be printed. */
export class LogsError extends AdvisedError {
  override readonly name = "LogsError";
}

/** A permission that a request needs, as `kubectl auth can-i` names it. */
export interface Need {
  /** E.g. "get pods/log". */
  readonly right: string;
  readonly namespace: string;
}

/** What an error of a request for a log means. */
export type Verdict =
  /** No further request will succeed. */
  | { readonly kind: "fatal"; readonly error: Error }
  /** There is no such log now; the text is the server's reason. */
  | { readonly kind: "absent"; readonly reason: string }
  | { readonly kind: "temporary"; readonly reason: string };

/** Judges an error of a request for the log of a container. */
export function judge(error: unknown, need: Need): Verdict {
  if (!(error instanceof KubeApiError)) {
    return { kind: "temporary", reason: messageOf(error) };
  }
  const { code, message } = error.status;
  if ([401, 403, 405, 501].includes(code)) {
    return { kind: "fatal", error: explained(error, need) };
  }
  return { kind: code === 400 || code === 404 ? "absent" : "temporary", reason: message };
}

/** An error that names the permission if that's what is missing; any other is passed on. */
export function explained(error: unknown, { right, namespace }: Need): Error {
  if (!(error instanceof KubeApiError)) {
    return error instanceof Error ? error : new LogsError(messageOf(error), []);
  }
  const { code, message } = error.status;
  if (code !== 403) {
    return new LogsError(message, [], { cause: error });
  }
  return new LogsError(
    `you need permission to ${right} in namespace ${namespace}: ${message}`,
    [
      `To check: kubectl auth can-i ${right} -n ${namespace}`,
      "fluxctl logs uses the permissions of your kubeconfig, not those of fluxd.",
    ],
    { cause: error },
  );
}

import { FluxError } from "@weir/flux";

/**
 * A call failed without a response from the daemon: the connection broke, or the received data is invalid.
 * The caller should drop the daemon; it connects again.
 */
export class FatalError extends Error {
  override readonly name = "FatalError";
}

/** The daemon responded to a call with an error that is only a line of text. */
export class RemoteError extends Error {
  override readonly name = "RemoteError";
}

/** No answer can be had from the daemon: it isn't connected, or it takes too long. */
export class UnavailableError extends FluxError {}

/** The error that says so. This text, and those below, are Flux v1's, which users know. */
export function unavailableError(reason: Error): UnavailableError {
  const help = `Cannot contact Flux daemon

To service this request, we need to ask the agent running in your
cluster (fluxd) for some information. But we can't connect to it at
present.

This may be because it's not running at all, is temporarily
disconnected or has been firewalled.

If you are sure Flux is running, you can simply wait a few seconds
and try the operation again.

Otherwise, please consult the installation instructions in our
documentation:

    https://fluxcd.io/legacy/flux/get-started/

If you are still stuck, please log an issue:

    https://github.com/fluxcd/flux/issues

`;
  return new UnavailableError("user", reason.message, help, { cause: reason });
}

/** The daemon is too old for the request. */
export function upgradeNeededError(message: string): FluxError {
  const help = `Your Flux daemon needs to be upgraded

    ${message}

To service this request, we need to ask the agent running in your
cluster (fluxd) to perform an operation on our behalf, but the
version you have running is too old to understand the request.

Please install the latest version of Flux and try again.

`;
  return new FluxError("user", message, help);
}

/** The daemon doesn't release workloads of this kind. */
export function unsupportedKindError(message: string): FluxError {
  const help = `${message}

The version of the agent running in your cluster (fluxd) can release updates to
the following kinds of pod controller: Deployments, DaemonSets, StatefulSets
and CronJobs. When new kinds are added to Kubernetes, we try to support them as
quickly as possible - check here to see if a new version of Flux is available:

	https://github.com/fluxcd/flux/releases

Releasing by Service is not supported - if you're using an old version of
fluxctl that accepts the '--service' argument you will need to get a new one
that matches your agent.
`;
  return new FluxError("user", message, help);
}

/**
 * A daemon of version 6 sends errors as a line of text; an error that isn't fatal is something that people
 * can fix.
 */
export function applicationError(reason: RemoteError): FluxError {
  const help = `Error from daemon

The daemon (fluxd, running in your cluster) reported this error when
attempting to fulfil your request:

    ${reason.message}
`;
  return new FluxError("user", reason.message, help, { cause: reason });
}

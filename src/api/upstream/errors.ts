/** A call was made that nobody answers; the message is the one of Go's net/rpc. */
export class NoSuchMethodError extends Error {
  override readonly name = "NoSuchMethodError";
}

/** The connection ended in a way that it should not. */
export class ChannelError extends Error {
  override readonly name = "ChannelError";
}

/** The upstream could not be reached, or did not take the connection. */
export class DialError extends Error {
  override readonly name = "DialError";
  /** Of the answer, undefined where there was none. */
  readonly status: number | undefined;

  constructor(message: string, status: number | undefined, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** The upstream has given up this version of the protocol for good; fluxd ends, as Flux v1. */
export class EndpointGoneError extends Error {
  override readonly name = "EndpointGoneError";

  constructor(options?: ErrorOptions) {
    super(
      "Your fluxd version is deprecated - please upgrade, see https://github.com/weaveworks/flux-adapter",
      options,
    );
  }
}

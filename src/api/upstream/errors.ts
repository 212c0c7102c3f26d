/** The called method doesn't exist; the message is that of Go's net/rpc. */
export class NoSuchMethodError extends Error {
  override readonly name = "NoSuchMethodError";
}

/** The upstream couldn't be reached, or didn't accept the connection. */
export class DialError extends Error {
  override readonly name = "DialError";
  /** The status of the response; undefined if there was none. */
  readonly status: number | undefined;

  constructor(message: string, status: number | undefined, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** The upstream has permanently ended this version of the protocol; fluxd exits, as Flux v1 does. */
export class EndpointGoneError extends Error {
  override readonly name = "EndpointGoneError";

  constructor(options?: ErrorOptions) {
    super(
      "Your fluxd version is deprecated - please upgrade, see https://github.com/weaveworks/flux-adapter",
      options,
    );
  }
}

/** One request, and limits for its response. */
export interface HttpRequest {
  readonly method: "GET" | "HEAD" | "POST" | "PUT";
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The maximum size of the body; a larger one rejects with OversizedBodyError. */
  readonly maxBytes: number;
  /** True if somebody outside chose the server, which then must not be on this machine or in a private network. */
  readonly publicOnly?: boolean;
  /** True to skip verifying certificates, for hosts that the user allows this for. */
  readonly insecure?: boolean;
  readonly signal: AbortSignal;
}

/** A response with its whole body. */
export interface HttpAnswer {
  readonly status: number;
  /** A header by its lower-case name; "" if it's missing. */
  readonly header: (name: string) => string;
  readonly body: Uint8Array;
  /** True if all of the server's addresses that were seen are on this machine or in a private network. */
  readonly fromPrivate: boolean;
}

/** Sends requests as they are. Callers handle redirects, errors, and authentication. */
export interface HttpTransport {
  send(request: HttpRequest): Promise<HttpAnswer>;
  close(): Promise<void>;
}

/** A response exceeds the limit; the rest of it isn't read. */
export class OversizedBodyError extends Error {
  override readonly name = "OversizedBodyError";
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`the response is larger than ${maxBytes} bytes`);
    this.maxBytes = maxBytes;
  }
}

/** Why a connection to an address isn't allowed. */
export type AddressRefusal = "link-local" | "private";

const refusals: Readonly<Record<AddressRefusal, string>> = {
  "link-local": "is link-local, where only services of this machine can be",
  private: "is private, and a public registry must not lead there",
};

/**
 * An address that no server in a network can have, such as a cloud's metadata service, or a private one that a public
 * registry must not lead to.
 */
export class ForbiddenAddressError extends Error {
  override readonly name = "ForbiddenAddressError";
  readonly address: string;

  constructor(address: string, refusal: AddressRefusal) {
    super(`the address ${address} ${refusals[refusal]}`);
    this.address = address;
  }
}

/** The URL without the parts that may be secret: user, password, and query. */
export function safeUrl(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

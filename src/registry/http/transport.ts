/** One request, and how much may come of it. */
export interface HttpRequest {
  readonly method: "GET" | "HEAD" | "POST" | "PUT";
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The most bytes that a body may have; a longer one is an OversizedBodyError. */
  readonly maxBytes: number;
  /** True where somebody outside chose the server: it may not be one on this machine or in a private network. */
  readonly publicOnly?: boolean;
  /** True where certificates are not verified, for hosts that the user said so of. */
  readonly insecure?: boolean;
  readonly signal: AbortSignal;
}

/** An answer, read to its end. */
export interface HttpAnswer {
  readonly status: number;
  /** A header by its lower-case name; "" where there is none. */
  readonly header: (name: string) => string;
  readonly body: Uint8Array;
  /** True where the server, by all its addresses met so far, is on this machine or in a private network. */
  readonly fromPrivate: boolean;
}

/** Sends requests as they are: redirects, refusals and authentication are for others. */
export interface HttpTransport {
  send(request: HttpRequest): Promise<HttpAnswer>;
  close(): Promise<void>;
}

/** An answer is longer than was asked for; the rest of it is not read. */
export class OversizedBodyError extends Error {
  override readonly name = "OversizedBodyError";
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`the answer is longer than ${maxBytes} bytes`);
    this.maxBytes = maxBytes;
  }
}

/** Why an address is not connected to. */
export type AddressRefusal = "link-local" | "private";

const refusals: Readonly<Record<AddressRefusal, string>> = {
  "link-local": "is link-local; no registry is there",
  private: "is private; a public registry must not lead there",
};

/**
 * The address is one that no registry can be at, such as that of a cloud's metadata service, or to which a registry
 * outside must not lead.
 */
export class ForbiddenAddressError extends Error {
  override readonly name = "ForbiddenAddressError";
  readonly address: string;

  constructor(address: string, refusal: AddressRefusal) {
    super(`the address ${address} ${refusals[refusal]}`);
    this.address = address;
  }
}

/** The URL without what may be secret in it: user, password, query. */
export function safeUrl(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

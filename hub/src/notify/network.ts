/**
 * Requests to the services that administrators chose. What they typed, or what somebody made a name resolve to, must not
 * turn the console into a way into its own network.
 */
import { connect, type Socket } from "node:net";
import { abortReason, type Clock, Deadline, globMatches, TimeoutError } from "@weir/base";
import {
  type AddressRefusal,
  ForbiddenAddressError,
  guardedLookup,
  type HttpTransport,
  isForbiddenAddress,
  isPrivateAddress,
} from "@weir/http";

/** What requests to services need. */
export interface NetworkOptions {
  /** Must refuse link-local addresses, as it does unless told otherwise. */
  readonly transport: HttpTransport;
  /** Hosts that may have private addresses and be used without TLS; `*` stands for any characters. */
  readonly privateHosts: readonly string[];
  readonly clock: Clock;
}

/** A request to a service. */
export interface ServiceRequest {
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: object | string;
  /** The largest answer to accept. */
  readonly maxBytes?: number;
}

/** The answer of a service. */
export interface ServiceAnswer {
  readonly status: number;
  /** A header by its lower-case name; "" if it's missing. */
  readonly header: (name: string) => string;
  readonly text: string;
}

/** A service must not be used in this way; the message says what to change. */
export class ForbiddenServiceError extends Error {
  override readonly name = "ForbiddenServiceError";
}

/** How long a service can take to answer, in milliseconds. */
const answerMs = 15_000;
const maxAnswerBytes = 64 * 1024;

/** Reaches services by HTTP, and mail servers. */
export class Network {
  readonly #options: NetworkOptions;

  constructor(options: NetworkOptions) {
    this.#options = options;
  }

  /**
   * Sends one request and doesn't follow redirects. Rejects with ForbiddenServiceError, TimeoutError, the errors of
   * @weir/http, or those of the network.
   */
  async send(
    { method, url, headers, body, maxBytes }: ServiceRequest,
    signal: AbortSignal,
  ): Promise<ServiceAnswer> {
    const { transport, clock } = this.#options;
    const mayBePrivate = this.mayBePrivate(url.hostname);
    if (url.protocol !== "https:" && !(url.protocol === "http:" && mayBePrivate)) {
      throw new ForbiddenServiceError(`${url.hostname} must be reached over https`);
    }
    using limit = new Deadline(
      clock,
      answerMs,
      signal,
      () => new TimeoutError(`no answer within ${answerMs / 1000} s`),
    );
    const answer = await transport
      .send({
        method,
        url,
        headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
        maxBytes: maxBytes ?? maxAnswerBytes,
        publicOnly: !mayBePrivate,
        signal: limit.signal,
      })
      .catch((error: unknown) => {
        throw explain(error, url.hostname);
      });
    return { status: answer.status, header: answer.header, text: Buffer.from(answer.body).toString("utf8") };
  }

  /** Connects to a server that doesn't speak HTTP. Rejects with ForbiddenServiceError or the errors of the network. */
  connect(host: string, port: number, signal: AbortSignal): Promise<Socket> {
    const refusalOf = this.#refusals(host);
    const refusal = refusalOf(host);
    if (refusal !== undefined) {
      return Promise.reject(explain(new ForbiddenAddressError(host, refusal), host));
    }
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port, lookup: guardedLookup(refusalOf) });
      const abort = (): void => void socket.destroy(abortReason(signal));
      signal.addEventListener("abort", abort, { once: true });
      socket.once("connect", () => {
        signal.removeEventListener("abort", abort);
        resolve(socket);
      });
      socket.once("error", (error) => {
        signal.removeEventListener("abort", abort);
        reject(explain(error, host));
      });
      if (signal.aborted) {
        abort();
      }
    });
  }

  /** True if an administrator allows a host to have a private address. */
  mayBePrivate(host: string): boolean {
    const bare = host.replace(/^\[(.*)\]$/, "$1").toLowerCase();
    return this.#options.privateHosts.some((pattern) => globMatches(pattern.toLowerCase(), bare));
  }

  #refusals(host: string): (address: string) => AddressRefusal | undefined {
    const mayBePrivate = this.mayBePrivate(host);
    return (address) => {
      if (isForbiddenAddress(address)) {
        return "link-local";
      }
      return isPrivateAddress(address) && !mayBePrivate ? "private" : undefined;
    };
  }
}

function explain(error: unknown, host: string): Error {
  if (!(error instanceof ForbiddenAddressError)) {
    return error instanceof Error ? error : new Error(String(error));
  }
  const message = isForbiddenAddress(error.address)
    ? `${host} has the address ${error.address}, which is reserved for services of the machine and its cloud`
    : `${host} has the private address ${error.address}: if it's meant, allow this host with --notify-private-hosts`;
  return new ForbiddenServiceError(message, { cause: error });
}

import { lookup } from "node:dns";
import { getCACertificates } from "node:tls";
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent } from "undici";
import { guardedLookup, isForbiddenAddress, isPrivateAddress, type LookUp } from "./addresses.ts";
import {
  type AddressRefusal,
  ForbiddenAddressError,
  type HttpAnswer,
  type HttpRequest,
  type HttpTransport,
  OversizedBodyError,
} from "./transport.ts";

/** How servers are connected to. */
export interface TransportOptions {
  /** Connections to one server at a time; further requests wait for one of them. */
  readonly connections: number;
  /** Proxies as the environment names them; Node's own variables are not read. */
  readonly proxies?: ProxySettings;
  /** Also reach link-local addresses: for a cloud's own services, never for what a manifest names. */
  readonly allowLinkLocal?: boolean;
  /** Finds the addresses of names, and tells which of them are private; Node's and the usual networks by default. */
  readonly network?: Network;
}

/** The names and addresses that there are. */
export interface Network {
  readonly lookUp: LookUp;
  readonly isPrivate: (address: string) => boolean;
}

/** HTTP_PROXY, HTTPS_PROXY and NO_PROXY; "" for none. */
export interface ProxySettings {
  readonly http: string;
  readonly https: string;
  readonly no: string;
}

/** A connection that nobody uses is closed after that time, as in Flux v1. */
const idleMs = 10_000;
const connectMs = 10_000;

/** A transport over Node's HTTP client. Connects when it is first used. */
export function createTransport(options: TransportOptions): HttpTransport {
  return new UndiciTransport(options);
}

const usualNetwork: Network = { lookUp: lookup, isPrivate: isPrivateAddress };

/** What servers are connected to with. */
interface Reach {
  readonly insecure: boolean;
  readonly publicOnly: boolean;
}

class UndiciTransport implements HttpTransport {
  readonly #options: TransportOptions;
  readonly #network: Network;
  readonly #dispatchers = new Map<string, Dispatcher>();
  /** Whether a host was met at private addresses only. */
  readonly #met = new Map<string, boolean>();

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#network = options.network ?? usualNetwork;
  }

  async send(request: HttpRequest): Promise<HttpAnswer> {
    const { url, method, headers = {}, body, maxBytes, signal } = request;
    const { insecure = false, publicOnly = false } = request;
    const refusal = this.#refusalOf(url.hostname, publicOnly);
    if (refusal !== undefined) {
      throw new ForbiddenAddressError(url.hostname, refusal);
    }
    const answer = await this.#dispatcher({ insecure, publicOnly }).request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method,
      headers,
      signal,
      ...(body === undefined ? {} : { body }),
    });
    return {
      status: answer.statusCode,
      header: (name) => [answer.headers[name] ?? ""].flat().join(", "),
      body: await readBounded(answer, method === "HEAD" ? 0 : maxBytes),
      fromPrivate: this.#met.get(bareHost(url.hostname)) ?? this.#network.isPrivate(url.hostname),
    };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#dispatchers.values()].map((each) => each.destroy()));
  }

  #refusalOf(address: string, publicOnly: boolean): AddressRefusal | undefined {
    if (this.#options.allowLinkLocal !== true && isForbiddenAddress(address)) {
      return "link-local";
    }
    return publicOnly && this.#network.isPrivate(address) ? "private" : undefined;
  }

  #dispatcher(reach: Reach): Dispatcher {
    const key = JSON.stringify(reach);
    const dispatcher = this.#dispatchers.get(key) ?? this.#createDispatcher(reach);
    this.#dispatchers.set(key, dispatcher);
    return dispatcher;
  }

  #createDispatcher({ insecure, publicOnly }: Reach): Dispatcher {
    const { connections, proxies } = this.#options;
    const tls = insecure ? { rejectUnauthorized: false } : { ca: trustedCertificates() };
    const guard = guardedLookup((address) => this.#refusalOf(address, publicOnly), this.#network.lookUp);
    const connect = this.#meeting(buildConnector({ timeout: connectMs, lookup: guard, ...tls }));
    const pool = { connections, allowH2: false, keepAliveTimeout: idleMs, keepAliveMaxTimeout: idleMs };
    if (proxies === undefined || (proxies.http === "" && proxies.https === "")) {
      return new Agent({ ...pool, connect });
    }
    return new EnvHttpProxyAgent({
      ...pool,
      connect,
      requestTls: tls,
      httpProxy: proxies.http,
      httpsProxy: proxies.https,
      // As Go, which never asks a proxy for what is on the same machine.
      noProxy: [proxies.no, "localhost", "127.0.0.1", "::1"].filter((host) => host !== "").join(","),
    });
  }

  /** Remembers where hosts are; of one behind a proxy only the proxy knows. */
  #meeting(connect: buildConnector.connector): buildConnector.connector {
    return (options, callback) => {
      connect(options, (...[error, socket]) => {
        if (error !== null) {
          callback(error, null);
          return;
        }
        const host = bareHost(options.hostname);
        const isPrivate = this.#network.isPrivate(socket.remoteAddress ?? "");
        this.#met.set(host, isPrivate && this.#met.get(host) !== false);
        callback(null, socket);
      });
    };
  }
}

function bareHost(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

/** Those of Node and those of the machine, which is where users of Flux v1 put their own. */
function trustedCertificates(): string[] {
  return [...new Set([...getCACertificates("default"), ...getCACertificates("system")])];
}

async function readBounded(answer: Dispatcher.ResponseData, maxBytes: number): Promise<Uint8Array> {
  const { headers, body } = answer;
  const length = Number(headers["content-length"] ?? NaN);
  if (maxBytes > 0 && length > maxBytes) {
    refuse(answer, maxBytes);
  }
  // Where the length is told, no more than that is read: the parser of HTTP sees to it.
  return length <= maxBytes ? body.bytes() : readChunks(answer, maxBytes);
}

async function readChunks(answer: Dispatcher.ResponseData, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > maxBytes) {
      refuse(answer, maxBytes);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

/** Ends the connection: what still comes over it is not worth reading. */
function refuse({ body }: Dispatcher.ResponseData, maxBytes: number): never {
  body.on("error", () => undefined);
  body.destroy();
  throw new OversizedBodyError(maxBytes);
}

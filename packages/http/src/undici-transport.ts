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

/** How to connect to servers. */
export interface TransportOptions {
  /** The maximum number of connections to one server; further requests wait. */
  readonly connections: number;
  /** Proxies from the environment; Node's own variables aren't read. */
  readonly proxies?: ProxySettings;
  /** Also allow link-local addresses: for a cloud's own services, never for hosts from a manifest. */
  readonly allowLinkLocal?: boolean;
  /** Certificates other than the usual ones. */
  readonly tls?: TlsSettings | undefined;
  /** Resolves names and knows which addresses are private; by default, Node's resolver and the usual networks. */
  readonly network?: Network;
}

/** Certificates in PEM. */
export interface TlsSettings {
  /** The only authorities to trust; undefined for those of Node and of the machine. */
  readonly ca?: string | undefined;
  /** The certificate and key that identify us to servers. */
  readonly client?: { readonly cert: string; readonly key: string } | undefined;
}

/** How names resolve, and which addresses are private. */
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

/** An unused connection is closed after this time. */
const idleMs = 10_000;
const connectMs = 10_000;

/** A transport that uses Node's HTTP client. Connects on first use. */
export function createTransport(options: TransportOptions): HttpTransport {
  return new UndiciTransport(options);
}

const usualNetwork: Network = { lookUp: lookup, isPrivate: isPrivateAddress };

/** What's needed to connect to servers. */
interface Reach {
  readonly insecure: boolean;
  readonly publicOnly: boolean;
}

class UndiciTransport implements HttpTransport {
  readonly #options: TransportOptions;
  readonly #network: Network;
  readonly #dispatchers = new Map<string, Dispatcher>();
  /** Whether a host was seen only at private addresses. */
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
    const { ca = trustedCertificates(), client } = this.#options.tls ?? {};
    const tls = { ...(insecure ? { rejectUnauthorized: false } : { ca }), ...client };
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
      // Like Go, which never uses a proxy for the same machine.
      noProxy: [proxies.no, "localhost", "127.0.0.1", "::1"].filter((host) => host !== "").join(","),
    });
  }

  /** Remembers where hosts are. For a host behind a proxy, only the proxy knows. */
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

/** Node's certificates and those of the machine, where its administrators put their own. */
function trustedCertificates(): string[] {
  return [...new Set([...getCACertificates("default"), ...getCACertificates("system")])];
}

async function readBounded(answer: Dispatcher.ResponseData, maxBytes: number): Promise<Uint8Array> {
  const { headers, body } = answer;
  const length = Number(headers["content-length"] ?? NaN);
  if (maxBytes > 0 && length > maxBytes) {
    refuse(answer, maxBytes);
  }
  // If the length is known, the HTTP parser doesn't read more than that.
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

/** Closes the connection, since the rest of the response isn't worth reading. */
function refuse({ body }: Dispatcher.ResponseData, maxBytes: number): never {
  body.on("error", () => undefined);
  body.destroy();
  throw new OversizedBodyError(maxBytes);
}

import { getCACertificates } from "node:tls";
import { Agent, type Dispatcher, EnvHttpProxyAgent } from "undici";
import { guardedLookup, isForbiddenAddress } from "./addresses.ts";
import {
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

class UndiciTransport implements HttpTransport {
  readonly #options: TransportOptions;
  #verifying: Dispatcher | undefined;
  #insecure: Dispatcher | undefined;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  async send(request: HttpRequest): Promise<HttpAnswer> {
    const { url, method, headers = {}, body, maxBytes, signal } = request;
    if (this.#options.allowLinkLocal !== true && isForbiddenAddress(url.hostname)) {
      throw new ForbiddenAddressError(url.hostname);
    }
    const answer = await this.#dispatcher(request.insecure === true).request({
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
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.#verifying?.destroy(), this.#insecure?.destroy()]);
  }

  #dispatcher(insecure: boolean): Dispatcher {
    return insecure
      ? (this.#insecure ??= createDispatcher(this.#options, { rejectUnauthorized: false }))
      : (this.#verifying ??= createDispatcher(this.#options, { ca: trustedCertificates() }));
  }
}

interface TlsOptions {
  readonly rejectUnauthorized?: boolean;
  readonly ca?: string[];
}

function createDispatcher(options: TransportOptions, tls: TlsOptions): Dispatcher {
  const { connections, proxies, allowLinkLocal = false } = options;
  const pool = { connections, allowH2: false, keepAliveTimeout: idleMs, keepAliveMaxTimeout: idleMs };
  const guard = allowLinkLocal ? {} : { lookup: guardedLookup };
  const connect = { timeout: connectMs, ...guard, ...tls };
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

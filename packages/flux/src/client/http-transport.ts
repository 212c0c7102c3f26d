import {
  type Decode,
  daemonLimits,
  type Environment,
  type JsonValue,
  messageOf,
  stringifyGoJson,
  version,
} from "@weir/base";
import type { RouteRequest } from "../api/v12-inspect.ts";
import { isSuccess, refusalOf } from "./answer.ts";
import { RequestError } from "./errors.ts";
import { type ApiAnswer, HttpSender } from "./http.ts";
import type { Transport } from "./transport.ts";

/** The address of the API and the credentials. */
export interface ApiClientOptions {
  /** The base URL, e.g. http://127.0.0.1:3030/api/flux; a query in it is ignored. */
  readonly url: URL;
  /** For services that require one; "" for none. */
  readonly token: string;
  /** Environment variables, which may define a proxy. */
  readonly env: Environment;
}

/** Sends requests to the API over HTTP. */
export class HttpTransport implements Transport {
  readonly #options: ApiClientOptions;
  readonly #sender: HttpSender;

  constructor(options: ApiClientOptions) {
    this.#options = options;
    this.#sender = new HttpSender(options.env, daemonLimits);
  }

  /** Rejects with the FluxError that the server sent, or with RequestError if there was no usable response. */
  async ask<T>(request: RouteRequest, decode: Decode<T>, signal: AbortSignal): Promise<T> {
    const { method, body } = request;
    const url = this.#urlOf(request);
    const content = method === "GET" ? {} : { body: stringifyGoJson(body, { sortKeys: false }) };
    return decodeAnswer(
      await this.#sender.send({ method, url, headers: this.#headers(), ...content }, signal),
      decode,
    );
  }

  /** Closes the connections. */
  close(): void {
    this.#sender.close();
  }

  #headers(): Readonly<Record<string, string>> {
    const { token } = this.#options;
    return {
      Accept: "application/json",
      // Tells fluxd that the request isn't from a browser, whatever host name it uses.
      "User-Agent": `fluxctl/${version}`,
      ...(token === "" ? {} : { Authorization: `Scope-Probe token=${token}` }),
    };
  }

  #urlOf({ path, query }: RouteRequest): URL {
    const url = new URL(this.#options.url);
    url.pathname = `${url.pathname}/${path}`.replaceAll(/\/{2,}/g, "/");
    url.search = new URLSearchParams(query).toString();
    url.hash = "";
    return url;
  }
}

function decodeAnswer<T>(answer: ApiAnswer, decode: Decode<T>): T {
  if (!isSuccess(answer)) {
    throw refusalOf(answer);
  }
  try {
    return decode(answer.status === 204 ? null : (JSON.parse(answer.body) as JsonValue), "");
  } catch (error) {
    throw new RequestError(`decoding response from server: ${messageOf(error)}`, { cause: error });
  }
}

/**
 * What's known about one registry between requests: the URL of its API, its authentication, and its rate limit. Takes
 * paths of the API, and returns successful responses.
 */

import { isWithoutTls, Mutex, messageOf, registryLimits } from "@weir/base";
import type { HttpAnswer } from "@weir/http";
import { WireError } from "@weir/http";
import { HostAuth, type Visitor } from "./auth/host-auth.ts";
import type { TokenRequest } from "./auth/token.ts";
import { RegistryError, type RegistryFailure } from "./errors.ts";
import { type HostOptions, type HostRequest, HostRequests } from "./host-requests.ts";
import { maxRedirects, redirectOf } from "./http/redirect.ts";
import type { Operation } from "./operation.ts";
import { parseFaults } from "./wire/error-body.ts";

/** A request to the API: an absolute path, or the URL that the registry sent for the next page. */
export interface ApiRequest {
  readonly method: "GET" | "HEAD";
  readonly path: string;
  readonly accept?: string;
  readonly maxBytes: number;
}

export class RegistryHost {
  readonly #options: HostOptions;
  readonly #requests: HostRequests;
  readonly #auth: HostAuth;
  readonly #pinging = new Mutex();
  #base: URL | undefined;
  /** True after the host in image names was seen at a public address. */
  #isPublic = false;

  constructor(options: HostOptions) {
    this.#options = options;
    this.#requests = new HostRequests(options);
    this.#auth = new HostAuth(options.clock);
  }

  /**
   * Sends a request to the API, with credentials if the registry requires them. Rejects if the response isn't a
   * success.
   */
  async ask(request: ApiRequest, visitor: Visitor, operation: Operation): Promise<HttpAnswer> {
    const find = (): Promise<URL> => this.#findBase(operation);
    const base = this.#base ?? (await this.#pinging.run(find, operation.signal));
    const url = new URL(request.path, base);
    if (url.origin !== base.origin) {
      throw new WireError("the registry names another server for the next page");
    }
    const answer = await this.#askAs(visitor, { ...request, url }, operation);
    if (answer.status === 401 && this.#auth.learn(answer.header("www-authenticate"))) {
      this.#auth.forget(visitor);
      return successOf(await this.#askAs(visitor, { ...request, url }, operation), operation);
    }
    return successOf(answer, operation);
  }

  /** A pass succeeded, so the host can be queried faster again. */
  recover(): void {
    this.#requests.recover();
  }

  /** As in Flux v1: with TLS, or without it if the user allows that and there's none. The result is remembered. */
  async #findBase(operation: Operation): Promise<URL> {
    this.#base ??= await this.#ping("https", operation).catch((error: unknown) => {
      if (!this.#options.insecure || operation.signal.aborted || error instanceof RegistryError) {
        throw isWithoutTls(error) ? this.#plainHttpError(error) : error;
      }
      return this.#pingInTheOpen(messageOf(error), operation);
    });
    return this.#base;
  }

  #plainHttpError(cause: unknown): Error {
    const { domain } = this.#options;
    return new Error(
      `the registry speaks HTTP, not HTTPS; to allow that, start fluxd with --registry-insecure-host=${domain}`,
      { cause },
    );
  }

  async #pingInTheOpen(withTls: string, operation: Operation): Promise<URL> {
    return this.#ping("http", operation).catch((error: unknown) => {
      const message = messageOf(error);
      const isOfNetwork = error instanceof Error && "code" in error && message !== withTls;
      throw isOfNetwork ? new Error(`${message}; with TLS: ${withTls}`, { cause: error }) : error;
    });
  }

  /** Any response will do: even an error shows that there's a registry, and how to authenticate. */
  async #ping(scheme: "https" | "http", operation: Operation): Promise<URL> {
    const url = new URL(`${scheme}://${this.#options.domain}/v2/`);
    const request: HostRequest = { method: "GET", url, maxBytes: registryLimits.smallAnswer };
    const { answer, from } = await this.#follow(request, undefined, operation);
    this.#auth.learn(answer.header("www-authenticate"));
    return new URL(from.origin);
  }

  async #askAs(
    visitor: Visitor,
    { accept, ...request }: HostRequest & Pick<ApiRequest, "accept">,
    operation: Operation,
  ): Promise<HttpAnswer> {
    const mayBePlain = this.#options.insecure;
    const askToken = (token: TokenRequest): Promise<HttpAnswer> => this.#askTokenServer(token, operation);
    const authorization = await this.#auth.authorization(visitor, mayBePlain, askToken, operation.signal);
    const headers = accept === undefined ? {} : { accept };
    return (await this.#follow({ ...request, headers }, authorization, operation)).answer;
  }

  async #askTokenServer({ url, headers }: TokenRequest, operation: Operation): Promise<HttpAnswer> {
    const { authorization, ...others } = headers;
    const request: HostRequest = {
      method: "GET",
      url,
      headers: others,
      maxBytes: registryLimits.smallAnswer,
    };
    return successOf((await this.#follow(request, authorization, operation)).answer, operation);
  }

  /**
   * As in Flux v1, an image can name any host. But a registry at a public address must not lead us to private
   * addresses, by redirects or by its token server.
   */
  async #send(request: HostRequest, operation: Operation): Promise<HttpAnswer> {
    const isNamed = request.url.hostname === new URL(`https://${this.#options.domain}`).hostname;
    const answer = await this.#requests.send(
      { ...request, publicOnly: this.#isPublic && !isNamed },
      operation,
    );
    this.#isPublic ||= isNamed && !answer.fromPrivate;
    return answer;
  }

  /** Follows redirects; only the original server gets credentials. */
  async #follow(
    { headers = {}, ...request }: HostRequest,
    authorization: string | undefined,
    operation: Operation,
  ): Promise<{ readonly answer: HttpAnswer; readonly from: URL }> {
    const own = authorization === undefined ? headers : { ...headers, authorization };
    let [url, known] = [request.url, true];
    for (let count = 0; count <= maxRedirects; count += 1) {
      const answer = await this.#send({ ...request, url, headers: known ? own : headers }, operation);
      const next = redirectOf(
        url,
        { status: answer.status, location: answer.header("location") },
        this.#options.insecure,
      );
      if (next.kind === "none") {
        return { answer, from: url };
      }
      if (next.kind === "refuse") {
        throw new WireError(next.why);
      }
      [url, known] = [next.url, known && next.sameServer];
    }
    throw new WireError(`the registry redirected more than ${maxRedirects} times`);
  }
}

function successOf(answer: HttpAnswer, { image }: Operation): HttpAnswer {
  if (answer.status >= 200 && answer.status < 300) {
    return answer;
  }
  const faults = parseFaults(answer.body);
  const failure: RegistryFailure = faults.some(({ code }) => code === "TOOMANYREQUESTS")
    ? "rate-limited"
    : answer.status === 404
      ? "unknown"
      : "refused";
  const said = faults.map(({ code, message }) => `${code.toLowerCase().replaceAll("_", " ")}: ${message}`);
  throw new RegistryError({
    image,
    failure,
    why: [`the registry responded with status ${answer.status}`, ...said].join(": "),
  });
}

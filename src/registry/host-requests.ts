import { type Clock, type Logger, messageOf } from "@weir/base";
import { RegistryError } from "./errors.ts";
import { retryAfterMs } from "./http/retry-after.ts";
import { type HttpAnswer, type HttpRequest, type HttpTransport, safeUrl } from "./http/transport.ts";
import type { Operation } from "./operation.ts";
import { RateLimiter, type RateLimits } from "./rate-limiter.ts";
import { parseFaults } from "./wire/error-body.ts";

/** How a host is spoken to. */
export interface HostOptions {
  /** "host" or "host:port". */
  readonly domain: string;
  /** Do without the verification of certificates, and without TLS where there is none. */
  readonly insecure: boolean;
  readonly limits: RateLimits;
  readonly userAgent: string;
  /** Log every request. */
  readonly trace: boolean;
  readonly transport: HttpTransport;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What is asked; who we are stands in the headers. */
export type HostRequest = Pick<HttpRequest, "method" | "url" | "headers" | "maxBytes" | "publicOnly">;

/** Connections that were kept and that the server has closed in the moment of the request. */
const brokenConnection: readonly string[] = ["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"];

/** Sends requests to one host, its token server and its storage included, as fast as the host can bear. */
export class HostRequests {
  readonly #options: HostOptions;
  readonly #limiter: RateLimiter;

  constructor(options: HostOptions) {
    this.#options = options;
    this.#limiter = new RateLimiter(options.limits, options.clock);
  }

  /**
   * One request, and its answer whatever its status; but 429 rejects with RegistryError and makes those that
   * come after wait. A connection that was closed under the request is tried again once.
   */
  async send(request: HostRequest, operation: Operation): Promise<HttpAnswer> {
    const answer = await this.#sendOnce(request, operation).catch((error: unknown) => {
      if (operation.signal.aborted || !isBrokenConnection(error)) {
        throw error;
      }
      return this.#sendOnce(request, operation);
    });
    if (answer.status === 429) {
      this.#slowDown(answer, operation);
      throw tooManyRequests(answer, operation);
    }
    return answer;
  }

  /** Asks for a little more, after a pass that went well. */
  recover(): void {
    if (this.#limiter.recover()) {
      this.#tellRate("increasing rate limit");
    }
  }

  async #sendOnce({ headers, ...request }: HostRequest, operation: Operation): Promise<HttpAnswer> {
    const { transport, insecure, userAgent } = this.#options;
    await this.#limiter.take(operation.deadline, operation.signal);
    const sent = transport.send({
      ...request,
      headers: { "user-agent": userAgent, ...headers },
      insecure,
      signal: operation.signal,
    });
    return this.#options.trace ? this.#traced(request.url, sent) : sent;
  }

  async #traced(url: URL, sent: Promise<HttpAnswer>): Promise<HttpAnswer> {
    const { logger } = this.#options;
    try {
      const answer = await sent;
      logger.log({ url: safeUrl(url), status: answer.status });
      return answer;
    } catch (error) {
      logger.log({ url: safeUrl(url), err: messageOf(error) });
      throw error;
    }
  }

  /** As Flux v1, once in a pass: requests that were on their way together are one mistake, not many. */
  #slowDown(answer: HttpAnswer, { pass }: Operation): void {
    this.#limiter.pause(retryAfterMs(answer.header("retry-after"), this.#options.clock.now()));
    if (!pass.slowedDown) {
      pass.slowedDown = true;
      if (this.#limiter.backOff()) {
        this.#tellRate("reducing rate limit");
      }
    }
  }

  #tellRate(info: string): void {
    const { logger, domain } = this.#options;
    logger.log({ info, host: domain, limit: this.#limiter.rate.toFixed(2) });
  }
}

function isBrokenConnection(error: unknown): boolean {
  return error instanceof Error && "code" in error && brokenConnection.includes(String(error.code));
}

function tooManyRequests(answer: HttpAnswer, { image }: Operation): RegistryError {
  const [fault] = parseFaults(answer.body);
  const said = fault === undefined || fault.message === "" ? "" : `: ${fault.message}`;
  return new RegistryError({
    image,
    failure: "rate-limited",
    why: `toomanyrequests: the registry answers 429${said}`,
  });
}

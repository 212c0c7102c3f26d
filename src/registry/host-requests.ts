import { type Clock, type Logger, messageOf } from "@weir/base";
import { type HttpAnswer, type HttpRequest, type HttpTransport, retryAfterMs, safeUrl } from "@weir/http";
import { RegistryError } from "./errors.ts";
import type { Operation } from "./operation.ts";
import { RateLimiter, type RateLimits } from "./rate-limiter.ts";
import { parseFaults } from "./wire/error-body.ts";

/** How to reach a host. */
export interface HostOptions {
  /** "host" or "host:port". */
  readonly domain: string;
  /** Don't verify certificates, and allow plain HTTP if there's no TLS. */
  readonly insecure: boolean;
  readonly limits: RateLimits;
  readonly userAgent: string;
  /** Log every request. */
  readonly trace: boolean;
  readonly transport: HttpTransport;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A request; its headers contain the credentials. */
export type HostRequest = Pick<HttpRequest, "method" | "url" | "headers" | "maxBytes" | "publicOnly">;

/** A kept connection that the server closed at the moment of the request. */
const brokenConnection: readonly string[] = ["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"];

/** Sends requests to one host, including its token server and storage, no faster than its rate limit allows. */
export class HostRequests {
  readonly #options: HostOptions;
  readonly #limiter: RateLimiter;

  constructor(options: HostOptions) {
    this.#options = options;
    this.#limiter = new RateLimiter(options.limits, options.clock);
  }

  /**
   * Sends one request and returns the response, whatever its status. Only 429 rejects, with RegistryError, and makes
   * later requests wait. If the server closes a connection during the request, the request is sent again once.
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

  /** Speeds up slightly, after a pass that succeeded. */
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

  /** Once in a pass, as in Flux v1: requests that were sent at the same time count as one mistake. */
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
    why: `toomanyrequests: the registry responded with status 429${said}`,
  });
}

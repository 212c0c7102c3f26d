import {
  AnyAbort,
  type Clock,
  Deadline,
  kubernetesLimits,
  orAborted,
  Slots,
  systemClock,
  TimeoutError,
} from "@weir/base";
import { LargeAnswerError, readText } from "../rest/body.ts";
import type { ClusterCredentials } from "../rest/credentials.ts";
import { LargeAnswers } from "../rest/large-answers.ts";
import type { RestClient, RestRequest } from "../rest/rest.ts";
import { refusalOf } from "../rest/status.ts";
import {
  ConnectionError,
  closedError,
  type HttpRequest,
  type HttpResponse,
  type Transport,
} from "../rest/transport.ts";
import { toHttpRequest } from "./http-request.ts";
import { LineSplitter } from "./line-splitter.ts";
import { createTransport } from "./negotiated-transport.ts";
import { mayTryAfterLoss, waitAfterRefusal } from "./retry.ts";
import { ServerGate } from "./server-gate.ts";

/** The options of a client. */
export interface RestClientOptions {
  readonly credentials: ClusterCredentials;
  /** E.g. "weir/1.0.0". */
  readonly userAgent: string;
  readonly clock?: Clock;
  /**
   * How long a request can take from its first byte to the last byte of the response; for a watch or a log, to
   * the beginning of the response.
   */
  readonly timeoutMs?: number;
  /** How many requests run at the same time; the others wait. Watches don't count. */
  readonly maxRequests?: number;
}

const usualTimeoutMs = 60_000;
const usualMaxRequests = 32;

/** Creates a client for the cluster of `credentials`. It connects at its first request. */
export function createRestClient(options: RestClientOptions): RestClient {
  return new HttpRestClient(options);
}

/**
 * Sends requests over a transport, with credentials and accepted formats. It never asks for compressed
 * responses: close to an API server, decompression takes more time than it saves.
 */
class HttpRestClient implements RestClient {
  readonly server: string;
  readonly #options: RestClientOptions;
  readonly #clock: Clock;
  readonly #transport: Transport;
  readonly #slots: Slots;
  readonly #largeAnswers: LargeAnswers;
  readonly #gate: ServerGate;
  readonly #closing = new AbortController();

  constructor(options: RestClientOptions) {
    this.server = options.credentials.server;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#transport = createTransport(options.credentials, this.#clock);
    this.#gate = new ServerGate(this.server, this.#clock);
    this.#largeAnswers = new LargeAnswers(this.#clock);
    this.#slots = new Slots(options.maxRequests ?? usualMaxRequests);
  }

  async json(unbound: RestRequest): Promise<unknown> {
    using ends = this.#endsOf(unbound);
    const request = { ...unbound, signal: ends.signal };
    const work = (): Promise<unknown> =>
      this.#withTimeout(request, async (signal) => {
        const limited = { ...request, signal };
        const text = await this.#persist(limited, (answer) => this.#read(answer, limited));
        return text === "" ? null : parseAnswer(text, this.server);
      });
    if (request.isProbe === true) {
      this.#gate.throwIfClosed();
      return await work();
    }
    return await this.#slots.run(work, request.signal);
  }

  async *lines(unbound: RestRequest): AsyncGenerator<string, void, undefined> {
    using ends = this.#endsOf(unbound);
    const request = { ...unbound, signal: ends.signal };
    const response = await this.#persist(request, (answer) => Promise.resolve(answer), true);
    const splitter = new LineSplitter(request.longLines);
    const chunks = response.body[Symbol.asyncIterator]();
    try {
      for (let chunk = await chunks.next(); chunk.done !== true; chunk = await chunks.next()) {
        yield* splitter.push(chunk.value);
        if (splitter.pending > kubernetesLimits.usualAnswer) {
          yield* await this.#readLongLine(splitter, chunks, response, request);
        }
      }
      const rest = splitter.end();
      if (rest !== undefined) {
        yield rest;
      }
    } catch (error) {
      this.#noteLoss(error);
      throw error;
    } finally {
      response.discard();
    }
  }

  close(): Promise<void> {
    this.#closing.abort(closedError(this));
    return this.#transport.close();
  }

  get #limitMs(): number {
    return this.#options.timeoutMs ?? usualTimeoutMs;
  }

  /** Ends a request with its own signal, or when the client is closed. */
  #endsOf({ signal }: RestRequest): AnyAbort {
    return new AnyAbort(this.#closing.signal, ...(signal === undefined ? [] : [signal]));
  }

  async #read(response: HttpResponse, request: RestRequest): Promise<string> {
    const most = request.mostBytes ?? kubernetesLimits.answer;
    const readOn = { largeAnswers: this.#largeAnswers, signal: request.signal };
    const { text, size, isWhole } = await readText(response, most, readOn);
    if (!isWhole) {
      throw new LargeAnswerError({ server: this.server, request: nameOf(request), what: "a body", most });
    }
    request.onSize?.(size);
    return text();
  }

  /** Reads to the end of an incomplete line, which must not take longer than a request. */
  async #readLongLine(
    splitter: LineSplitter,
    chunks: AsyncIterator<Buffer>,
    response: HttpResponse,
    request: RestRequest,
  ): Promise<readonly string[]> {
    const read = (signal: AbortSignal): Promise<LongLine> => {
      signal.addEventListener("abort", () => response.discard(), { once: true });
      return readLongLine(splitter, chunks, response);
    };
    const { lines, isWhole } = await this.#largeAnswers.readOn(
      () => this.#withTimeout(request, read),
      request.signal,
    );
    if (!isWhole) {
      throw new LargeAnswerError({
        server: this.server,
        request: nameOf(request),
        what: "a line",
        most: kubernetesLimits.watchLine,
      });
    }
    return lines;
  }

  #noteLoss(error: unknown): void {
    if (error instanceof ConnectionError) {
      this.#gate.lost(error);
    }
  }

  async #withTimeout<T>(request: RestRequest, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const limitMs = this.#limitMs;
    using deadline = new Deadline(this.#clock, limitMs, request.signal);
    try {
      return await work(deadline.signal);
    } catch (error) {
      if (deadline.expired) {
        throw new ConnectionError(
          { server: this.server, sent: true, reason: `no complete response within ${limitMs / 1000} s` },
          {
            cause: error,
          },
        );
      }
      throw error;
    }
  }

  /** Retries until there is a response, or a failure that a retry doesn't fix. */
  async #persist<T>(
    request: RestRequest,
    read: (response: HttpResponse) => Promise<T>,
    longLived = false,
  ): Promise<T> {
    for (let tries = 1; !this.#closing.signal.aborted; tries += 1) {
      const outcome = await this.#try(request, read, longLived, tries);
      if ("value" in outcome) {
        return outcome.value;
      }
      if (outcome.waitMs > 0) {
        await this.#clock.sleep(outcome.waitMs, request.signal);
      }
    }
    throw closedError(this);
  }

  async #try<T>(
    request: RestRequest,
    read: (response: HttpResponse) => Promise<T>,
    longLived: boolean,
    tries: number,
  ): Promise<{ readonly value: T } | { readonly waitMs: number }> {
    const { credentials, userAgent } = this.#options;
    try {
      const identity = await orAborted(credentials.headers(request.signal), request.signal);
      const setting = { server: this.server, userAgent, identity };
      const sent = toHttpRequest(request, setting, longLived);
      const response = await (longLived ? this.#begin(sent) : this.#send(sent));
      if (response.status < 300) {
        return { value: await read(response) };
      }
      const refusal = { status: response.status, retryAfter: response.header("retry-after") };
      const readOn = { largeAnswers: this.#largeAnswers, signal: request.signal };
      const { text } = await readText(response, kubernetesLimits.refusal, readOn);
      const renewed = response.status === 401 && tries === 1 && credentials.renew(identity);
      return orThrow(renewed ? 0 : waitAfterRefusal(request, refusal, { tries }), () =>
        refusalOf(response.status, text()),
      );
    } catch (error) {
      this.#noteLoss(error);
      const { failures } = this.#gate;
      // The gate prevents requests that come too soon.
      return orThrow(mayTryAfterLoss(request, error, { tries, failures }) ? 0 : undefined, () => error);
    }
  }

  /** Sends a request whose response may go on for as long as it likes, but has to begin in time. */
  async #begin(request: HttpRequest): Promise<HttpResponse> {
    const limitMs = this.#limitMs;
    const late = (): TimeoutError =>
      new TimeoutError(`no response from ${this.server} within ${limitMs / 1000} s`);
    const limit = new Deadline(this.#clock, limitMs, request.signal, late);
    try {
      return await this.#send({ ...request, signal: limit.signal });
    } finally {
      limit.met();
    }
  }

  async #send(request: HttpRequest): Promise<HttpResponse> {
    await this.#gate.pass(request.signal);
    const response = await this.#transport.send(request);
    this.#gate.answered();
    return response;
  }
}

/** The received part of a long line; incomplete if the line was too long. */
interface LongLine {
  readonly lines: readonly string[];
  readonly isWhole: boolean;
}

async function readLongLine(
  splitter: LineSplitter,
  chunks: AsyncIterator<Buffer>,
  response: HttpResponse,
): Promise<LongLine> {
  const lines: string[] = [];
  while (splitter.pending > kubernetesLimits.usualAnswer) {
    if (splitter.pending > kubernetesLimits.watchLine) {
      splitter.drop();
      response.discard();
      return { lines, isWhole: false };
    }
    const chunk = await chunks.next();
    if (chunk.done === true) {
      break;
    }
    lines.push(...splitter.push(chunk.value));
  }
  return { lines, isWhole: true };
}

/** The wait before the next attempt; throws if there is none. */
function orThrow(waitMs: number | undefined, error: () => unknown): { readonly waitMs: number } {
  if (waitMs === undefined) {
    throw error();
  }
  return { waitMs };
}

function nameOf({ method, path }: RestRequest): string {
  return `${method} ${path}`;
}

/** The message of JSON.parse quotes the text, which may be a Secret, so it's not passed on. */
function parseAnswer(text: string, server: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ConnectionError({ server, sent: true, reason: "the response is not JSON" });
  }
}

import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { extname, join, normalize } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { keepIdleConnections } from "@weir/testing";
import type * as z from "zod";
import type { Change } from "../../src/contract/events.ts";
import { type OperationName, routes } from "../../src/contract/routes.ts";
import { schemas } from "../../src/contract/schemas.ts";
import { securityHeaders } from "../../src/rest/security-headers.ts";
import { type Fleet, makeFleet } from "./fleet.ts";
import { type Asked, Refusal, StandInAnswers } from "./stand-in-answers.ts";

const apiRoot = "/api/console/v1";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
};

interface Call {
  readonly name: OperationName;
  readonly pattern: RegExp;
  readonly keys: readonly string[];
}

const calls: readonly Call[] = (Object.keys(routes) as OperationName[]).map((name) => ({
  name,
  pattern: new RegExp(`^${apiRoot}${routes[name].path.replace(/\{\w+\}/g, "([^/]+)")}$`),
  keys: [...routes[name].path.matchAll(/\{(\w+)\}/g)].map(([, key = ""]) => key),
}));

/**
 * A console without anything behind it: serves the page, and answers its calls from a fleet that is made up. Requests
 * and answers are checked against the contract, so that both sides of it stay true.
 */
export class ConsoleStandIn implements AsyncDisposable {
  readonly url: string;
  readonly fleet: Fleet;
  readonly answers: StandInAnswers;
  /** What didn't fit the contract; stays empty. */
  readonly breaches: string[] = [];
  /** How many bytes of the page were sent, compressed. */
  sent = 0;
  readonly #server: Server;
  readonly #streams = new Set<ServerResponse>();
  /** The files of the page, compressed once. */
  readonly #files = new Map<string, Buffer>();
  #isStreaming = true;

  private constructor(server: Server, port: number, fleet: Fleet) {
    this.#server = server;
    this.url = `http://127.0.0.1:${port}`;
    this.fleet = fleet;
    this.answers = new StandInAnswers(fleet);
  }

  /** Serves the page in a folder, for a fleet. */
  static async start(folder: string, fleet: Fleet = makeFleet(Date.now(), 10_000)): Promise<ConsoleStandIn> {
    const server = createServer();
    keepIdleConnections(server);
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(0, "127.0.0.1", resolve);
    });
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const standIn = new ConsoleStandIn(server, port, fleet);
    server.on("request", (request, response) => void standIn.#handle(folder, request, response));
    return standIn;
  }

  /** Sends a change to every page that is open. */
  publish(change: Change): void {
    for (const stream of this.#streams) {
      stream.write(`event: ${change.type}\ndata: ${JSON.stringify(change)}\n\n`);
    }
  }

  /** Ends all streams, and accepts none until it's told to. */
  stream(isOn: boolean): void {
    this.#isStreaming = isOn;
    if (!isOn) {
      this.#streams.forEach((stream) => stream.end());
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#streams.forEach((stream) => stream.end());
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
  }

  async #handle(folder: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", this.url);
    Object.entries(securityHeaders).forEach(([name, value]) => response.setHeader(name, value));
    if (pathname === `${apiRoot}/stream`) {
      this.#openStream(response);
    } else if (pathname.startsWith(apiRoot)) {
      const text = await readText(request);
      this.#answer(response, {
        method: request.method ?? "",
        pathname,
        searchParams,
        text,
        csrf: request.headers["x-csrf-token"],
      });
    } else {
      await this.#sendFile(folder, pathname, response);
    }
  }

  #openStream(response: ServerResponse): void {
    if (!this.#isStreaming) {
      sendProblem(response, new Refusal(503, "No stream"));
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.write("retry: 2000\n\n");
    this.#streams.add(response);
    response.once("close", () => this.#streams.delete(response));
  }

  #answer(response: ServerResponse, received: Received): void {
    try {
      const { name, asked } = this.#read(received);
      const answer: unknown = this.answers.answer(name, asked);
      const { answer: schema } = schemas[name] as { readonly answer?: z.ZodType };
      const body =
        schema === undefined ? "" : JSON.stringify(this.#checked(schema, answer, `answer of ${name}`));
      response.writeHead(body === "" ? 204 : 200, { "content-type": "application/json" }).end(body);
    } catch (error) {
      sendProblem(response, error instanceof Refusal ? error : new Refusal(500, String(error)));
    }
  }

  #read({ method, pathname, searchParams, text, csrf }: Received): {
    readonly name: OperationName;
    readonly asked: Asked;
  } {
    const call = calls.find(({ name, pattern }) => routes[name].method === method && pattern.test(pathname));
    if (call === undefined) {
      this.breaches.push(`${method} ${pathname}`);
      throw new Refusal(404, "There is no such operation");
    }
    const { name, pattern, keys } = call;
    if (method !== "GET" && routes[name].needs !== "nobody" && csrf !== this.fleet.session.csrfToken) {
      this.breaches.push(`${name} without X-CSRF-Token`);
    }
    const parts = (pattern.exec(pathname) ?? []).slice(1).map(decodeURIComponent);
    const { query, body } = schemas[name] as { readonly query?: z.ZodType; readonly body?: z.ZodType };
    return {
      name,
      asked: {
        params: Object.fromEntries(keys.map((key, index) => [key, parts[index] ?? ""])),
        query: query === undefined ? {} : this.#checked(query, fromSearch(searchParams), `query of ${name}`),
        body: body === undefined ? {} : this.#checked(body, JSON.parse(text), `body of ${name}`),
      },
    };
  }

  #checked(schema: z.ZodType, value: unknown, what: string): object {
    const { success, data, error } = schema.safeParse(value);
    if (!success) {
      this.breaches.push(`${what}: ${error.message}`);
      throw new Refusal(400, `The ${what} isn't as in the contract`);
    }
    return data as object;
  }

  async #sendFile(folder: string, pathname: string, response: ServerResponse): Promise<void> {
    // Every path without a file is a screen of the page.
    const file = extname(pathname) === "" ? "index.html" : normalize(pathname);
    const compressed = this.#files.get(file) ?? (await compress(join(folder, file)));
    if (compressed === undefined) {
      response.writeHead(404).end();
      return;
    }
    this.#files.set(file, compressed);
    this.sent += compressed.length;
    response
      .writeHead(200, {
        "content-type": types[extname(file)] ?? "application/octet-stream",
        "content-encoding": "br",
      })
      .end(compressed);
  }
}

interface Received {
  readonly method: string;
  readonly pathname: string;
  readonly searchParams: URLSearchParams;
  readonly text: string;
  readonly csrf: string | string[] | undefined;
}

function fromSearch(parameters: URLSearchParams): Readonly<Record<string, string | readonly string[]>> {
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((key) => {
      const values = parameters.getAll(key);
      return [key, values.length === 1 ? (values[0] ?? "") : values];
    }),
  );
}

function sendProblem(response: ServerResponse, { status, message }: Refusal): void {
  response
    .writeHead(status, { "content-type": "application/problem+json" })
    .end(JSON.stringify({ type: "about:blank", title: message, status, detail: `${message}.` }));
}

/** The content of a file, compressed; undefined if there is none. */
async function compress(file: string): Promise<Buffer | undefined> {
  const content = await readFile(file).catch(() => undefined);
  return content === undefined ? undefined : brotliCompressSync(content);
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

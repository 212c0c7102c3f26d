import type { IncomingMessage, ServerResponse } from "node:http";
import { type JsonObject, type Logger, messageOf } from "@weir/base";
import type { Auditor } from "../access/auditor.ts";
import type { Handlers } from "../operations/call.ts";
import { checkMayCall } from "../operations/may-call.ts";
import { Problem } from "../problem/problem.ts";
import { answer, findOperation, type Gate } from "./bind.ts";
import { apiPrefix } from "./openapi.ts";
import { encodingFor, type PageFile } from "./page-files.ts";
import { overTls, securityHeaders } from "./security-headers.ts";
import { sendAnswer, sendProblem } from "./send.ts";
import { type StreamSources, streamChanges } from "./stream.ts";

/** What the console serves to people and programs. */
export interface ConsoleAppOptions {
  readonly handlers: Handlers;
  readonly gate: Gate;
  /** Told of every call but those with GET. */
  readonly auditor: Auditor;
  readonly streams: StreamSources;
  readonly openApi: JsonObject;
  /** By their paths; /index.html is sent for every path of the page. */
  readonly pageFiles: ReadonlyMap<string, PageFile>;
  /** True if people reach the console over TLS. */
  readonly isOverTls: boolean;
  readonly logger: Logger;
  /** Aborted when the console stops. */
  readonly stop: AbortSignal;
}

/** Answers requests for the page and the REST API; returns false for a path that's neither, such as Flux's API. */
export function consoleApp(
  options: ConsoleAppOptions,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  return (request, response) => {
    const url = new URL(`http://console${request.url ?? "/"}`);
    if (url.pathname.startsWith("/api/") && !url.pathname.startsWith(`${apiPrefix}/`)) {
      return false;
    }
    const headers = { ...securityHeaders, ...(options.isOverTls ? overTls : {}) };
    Object.entries(headers).forEach(([name, value]) => response.setHeader(name, value));
    if (url.pathname.startsWith(`${apiPrefix}/`)) {
      void serveApi({ request, response, url }, options);
    } else {
      servePage({ request, response, path: url.pathname }, options.pageFiles);
    }
    return true;
  };
}

interface ApiExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
}

async function serveApi({ request, response, url }: ApiExchange, options: ConsoleAppOptions): Promise<void> {
  const { handlers, gate, streams, openApi, logger, stop } = options;
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const signal = AbortSignal.any([gone.signal, stop]);
  const path = url.pathname.slice(apiPrefix.length);
  const method = request.method ?? "GET";
  try {
    if (method === "GET" && path === "/openapi.json") {
      sendAnswer(response, openApi);
      return;
    }
    if (method === "GET" && path === "/stream") {
      const actor = await gate.identify(request);
      checkMayCall({ needs: "anybody-logged-in" }, actor, {});
      if (actor !== undefined) {
        await streamChanges(response, actor, streams, signal);
      }
      return;
    }
    const match = findOperation(method, path);
    if (match === undefined || match === "other-method") {
      throw noSuchOperation(method, path, match);
    }
    await answer({ request, response, match, query: url.searchParams, signal }, handlers, options);
  } catch (error) {
    if (!(error instanceof Problem) && !signal.aborted) {
      logger.log({ err: messageOf(error), method, path });
    }
    sendProblem(response, error);
  }
}

function noSuchOperation(method: string, path: string, why: "other-method" | undefined): Problem {
  return why === undefined
    ? new Problem("not-found", `There's nothing at ${path}.`, {
        remedy: `${apiPrefix}/openapi.json lists what there is.`,
      })
    : new Problem("invalid", `${path} can't be used with ${method}.`, {
        remedy: `${apiPrefix}/openapi.json lists the methods.`,
      });
}

interface PageExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
}

/** Addresses of the page are paths without a file: the page itself reads them. */
function servePage({ request, response, path }: PageExchange, files: ReadonlyMap<string, PageFile>): void {
  const isRead = request.method === "GET" || request.method === "HEAD";
  const file = files.get(path) ?? (/\.\w+$/.test(path) ? undefined : files.get("/index.html"));
  if (!isRead || file === undefined) {
    response.writeHead(isRead ? 404 : 405, { "Content-Type": "text/plain; charset=utf-8" });
    response.end(isRead ? "404 not found\n" : "405 method not allowed\n");
    return;
  }
  const { body, encoding } = encodingFor(file, request.headers["accept-encoding"]?.toString() ?? "");
  response
    .writeHead(200, {
      "Content-Type": file.type,
      "Content-Length": body.length,
      "Cache-Control": file.isHashed ? "public, max-age=31536000, immutable" : "no-cache",
      Vary: "Accept-Encoding",
      ...(encoding === undefined ? {} : { "Content-Encoding": encoding }),
    })
    .end(request.method === "HEAD" ? undefined : body);
}

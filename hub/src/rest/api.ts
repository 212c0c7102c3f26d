import { type JsonObject, type Logger, messageOf } from "@weir/base";
import { type ErrorRequestHandler, type Request, type Response, Router } from "express";
import type { Auditor } from "../access/auditor.ts";
import { type OperationName, type Route, routes } from "../contract/routes.ts";
import type { Handlers } from "../operations/call.ts";
import { checkMayCall } from "../operations/may-call.ts";
import { Problem } from "../problem/problem.ts";
import { answer, type Gate } from "./answer.ts";
import { apiPrefix } from "./openapi.ts";
import { sendAnswer, sendProblem } from "./send.ts";
import { type StreamSources, streamChanges } from "./stream.ts";

/** What the REST API needs. */
export interface ApiOptions {
  readonly handlers: Handlers;
  readonly gate: Gate;
  /** Told of every call but those with GET. */
  readonly auditor: Auditor;
  readonly streams: StreamSources;
  readonly openApi: JsonObject;
  readonly logger: Logger;
  /** Aborted when the console stops. */
  readonly stop: AbortSignal;
}

/** The REST API: its operations, their description, and the stream of changes. Answers everything below its prefix. */
export function restApi(options: ApiOptions): Router {
  const { gate, streams, openApi, logger, stop } = options;
  const untilGone = (response: Response): AbortSignal => {
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    return AbortSignal.any([gone.signal, stop]);
  };
  const api = Router({ caseSensitive: true, strict: true });
  api.head("/{*path}", (request) => {
    // Express would answer it like GET.
    throw otherMethod(request);
  });
  api.get("/openapi.json", (_request, response) => sendAnswer(response, openApi));
  api.get("/stream", async (request, response) => {
    const actor = await gate.identify(request);
    checkMayCall({ needs: "anybody-logged-in" }, actor, {});
    if (actor !== undefined) {
      await streamChanges(response, actor, streams, untilGone(response));
    }
  });
  bindOperations(api, (name, request, response) =>
    answer({ name, request, response, signal: untilGone(response) }, options.handlers, options),
  );
  api.use(nothingThere);
  api.use(sendErrors(logger, stop));
  return api;
}

/** Has each operation of the contract handled at its path, with the parameters of its path in `params`. */
export function bindOperations(
  router: Router,
  handle: (name: OperationName, request: Request, response: Response) => Promise<void>,
): void {
  const operations = Object.entries<Route>(routes).map(([name, { method, path }]) => ({
    name: name as OperationName,
    method: method.toLowerCase() as Lowercase<typeof method>,
    path: path.replaceAll(/\{(\w+)\}/g, ":$1"),
  }));
  for (const { name, method, path } of operations) {
    router[method](path, (request, response) => handle(name, request, response));
  }
  router.all([...new Set(operations.map(({ path }) => path))], (request) => {
    throw otherMethod(request);
  });
}

function sendErrors(logger: Logger, stop: AbortSignal): ErrorRequestHandler {
  return (error, request, response, _next) => {
    // A path that isn't percent-encoded text.
    const told: unknown = error instanceof URIError ? noSuchPath(request) : error;
    if (!(told instanceof Problem) && !response.closed && !stop.aborted) {
      logger.log({ err: messageOf(told), method: request.method, path: request.path });
    }
    sendProblem(response, told);
  };
}

function nothingThere(request: Request): never {
  throw noSuchPath(request);
}

function noSuchPath({ path }: Request): Problem {
  return new Problem("not-found", `There's nothing at ${path}.`, {
    advice: `${apiPrefix}/openapi.json lists what there is.`,
  });
}

function otherMethod({ path, method }: Request): Problem {
  return new Problem("invalid", `${path} can't be used with ${method}.`, {
    advice: `${apiPrefix}/openapi.json lists the methods.`,
  });
}

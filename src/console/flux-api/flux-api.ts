/** Flux's API of all instances, for fluxctl: the token says which instance is meant. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Bodies } from "../../api/server/bodies.ts";
import { endpointsOf } from "../../api/server/endpoints.ts";
import { type ErrorResponse, errorResponseWith } from "../../api/server/error-response.ts";
import { serveApi } from "../../api/server/serve-api.ts";
import { unauthorizedError } from "../../api/types/errors.ts";
import { inspectionRoutes, routes } from "../../api/types/routes.ts";
import { FluxError } from "../../errors/flux-error.ts";
import { type Hub, upstreamPath } from "../hub/hub.ts";
import { forwardingApi, forwardingEndpoints } from "./forwarding.ts";

/** What somebody with a token wants. */
export interface FluxApiCaller {
  /** From `Authorization: Scope-Probe token=…` or `Bearer …`; "" for none. */
  readonly token: string;
  /** Whether it changes anything. */
  readonly needs: "read" | "write";
  /** The method and path, e.g. "POST /v9/update-manifests". */
  readonly request: string;
  readonly address: string;
}

/** The instance that a token is for; or 401 for a token that nobody has, and 403 if it doesn't permit this. */
export type FluxApiPermission = { readonly instanceId: string } | 401 | 403;

/** What the API needs. */
export interface FluxApiOptions {
  readonly hub: Pick<Hub, "daemon" | "handleEvent">;
  authorize(caller: FluxApiCaller): Promise<FluxApiPermission>;
}

/** Where daemons post their events, which is below the same path. */
const eventsPath = "/v6/events";

/** Requests with other methods than GET that change nothing. The last one is asked about again when it's to change. */
const harmless: ReadonlySet<string> = new Set([
  `POST ${inspectionRoutes.check.path}`,
  `POST ${routes.gitRepoConfig.path}`,
]);

/** Serves everything below `upstreamPath` that isn't a websocket. */
export class FluxApi {
  readonly #options: FluxApiOptions;
  readonly #bodies = new Bodies();

  constructor(options: FluxApiOptions) {
    this.#options = options;
  }

  /** Handles a request whose path begins with `upstreamPath`; never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = (request.url ?? "/").slice(upstreamPath.length) || "/";
    const [path = "/"] = url.split("?", 1);
    const method = request.method ?? "";
    if (method === "POST" && path === eventsPath) {
      await this.#options.hub.handleEvent(request, response);
      return;
    }
    const called = `${method} ${path}`;
    const needs = isRead(method) || harmless.has(called) ? "read" : "write";
    const caller: FluxApiCaller = {
      token: tokenIn(request),
      needs,
      request: called,
      address: request.socket.remoteAddress ?? "",
    };
    const permission = await this.#permissionFor(caller);
    if (typeof permission === "number") {
      send(response, refusal(permission, request.headers.accept));
      return;
    }
    request.url = url;
    await this.#serve({ ...permission, caller }, request, response);
  }

  async #serve(
    { instanceId, caller }: { readonly instanceId: string; readonly caller: FluxApiCaller },
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const reach = () => this.#options.hub.daemon(instanceId);
    const forwarding = forwardingApi(reach);
    const { all } = endpointsOf(
      {
        ...forwarding,
        gitRepoConfig: async (regenerate, signal) => {
          if (regenerate && caller.needs === "read") {
            await this.#requireWrite(caller);
          }
          return forwarding.gitRepoConfig(regenerate, signal);
        },
      },
      undefined,
    );
    await serveApi({ all: [...all, ...forwardingEndpoints(reach)], bodies: this.#bodies }, request, response);
  }

  async #permissionFor(caller: FluxApiCaller): Promise<FluxApiPermission | 503> {
    try {
      return await this.#options.authorize(caller);
    } catch {
      return 503;
    }
  }

  async #requireWrite(caller: FluxApiCaller): Promise<void> {
    const permission = await this.#permissionFor({ ...caller, needs: "write" });
    if (typeof permission === "number") {
      throw errorOf(permission);
    }
  }
}

function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

function tokenIn({ headers }: IncomingMessage): string {
  return /^(?:Scope-Probe token=|Bearer\s+)(\S+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
}

function refusal(status: 401 | 403 | 503, accept: string | undefined): ErrorResponse {
  return errorResponseWith(status, errorOf(status), accept);
}

function errorOf(status: 401 | 403 | 503): FluxError {
  switch (status) {
    case 401:
      return unauthorizedError();
    case 403:
      return new FluxError(
        "user",
        "the token does not permit this",
        "The token does not permit this\n\nAsk an administrator of the console for a token that does.\n",
      );
    case 503:
      return new FluxError(
        "busy",
        "the console cannot check tokens at the moment",
        "The console cannot check tokens at the moment\n\nTry again in a while. If this goes on, look at the console's log.\n",
      );
  }
}

function send(response: ServerResponse, { status, contentType, body }: ErrorResponse): void {
  response.writeHead(status, { "Content-Type": contentType }).end(body);
}

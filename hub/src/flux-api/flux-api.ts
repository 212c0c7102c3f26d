/** Flux's API of all instances, for fluxctl: the token says which instance is meant. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { JsonObject } from "@weir/base";
import { FluxError } from "@weir/flux";
import {
  type ApiServer,
  inspectionRoutes,
  type RequestedWork,
  routes,
  unauthorizedError,
} from "@weir/flux/api";
import {
  Bodies,
  type Endpoint,
  ErrorWithStatus,
  endpointsOf,
  errorResponse,
  sendError,
  serveApi,
} from "@weir/flux/serving";
import { type Hub, upstreamPath } from "../daemons/hub.ts";
import { forwardingApi, forwardingEndpoints } from "./forwarding.ts";
import {
  describeUpdate,
  describeWork,
  namespacesListed,
  namespacesOfImages,
  namespacesUpdated,
} from "./touched.ts";

/** What somebody with a token wants. */
export interface FluxApiCaller {
  /** From `Authorization: Scope-Probe token=…` or `Bearer …`; "" for none. */
  readonly token: string;
  /** Whether it changes anything. */
  readonly needs: "read" | "write";
  /**
   * The namespaces that it's about; none stands for the whole instance. "some" if the request has to be read to know, after
   * which is asked again; or for what a role for any namespace suffices.
   */
  readonly namespaces: readonly string[] | "some";
  /** The method and path, e.g. "POST /v9/update-manifests". */
  readonly called: string;
  /** What it would do, for the audit log, once that's known. */
  readonly about?: JsonObject;
  readonly request: IncomingMessage;
}

/** What is asked about again once the request was read. */
type AskedAgain = Pick<FluxApiCaller, "needs" | "namespaces" | "about">;

/** Why something isn't permitted, as Flux words errors: a line, and a help text of several lines. */
export interface FluxApiRefusal {
  readonly status: 403 | 429 | 503;
  readonly message: string;
  readonly help: string;
}

/** A permission for an instance. */
export interface FluxApiGrant {
  readonly instanceId: string;
  /** To be told how it ended, if that matters. */
  readonly ended?: (outcome: "done" | "failed") => Promise<void>;
  /** Resolves when it may not be permitted any more, so that it has to be asked again. Rejects with the signal's reason. */
  readonly withdrawn?: (signal: AbortSignal) => Promise<void>;
}

/** The instance that a token is for; or 401 for a token that nobody has, or why it isn't permitted. */
export type FluxApiPermission = FluxApiGrant | FluxApiRefusal | 401;

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

/** Requests that aren't always about the whole instance, or that say nothing of it. */
const ofSome: ReadonlySet<string> = new Set([
  `GET ${routes.ping.path}`,
  `GET ${routes.version.path}`,
  `GET ${routes.jobStatus.path}`,
  `GET ${routes.syncStatus.path}`,
  `GET ${routes.listServices.path}`,
  `GET ${routes.listServicesWithOptions.path}`,
  `GET ${routes.listImages.path}`,
  `GET ${routes.listImagesWithOptions.path}`,
  `POST ${routes.updateManifests.path}`,
  `POST ${routes.updateImages.path}`,
  `POST ${routes.regeneratePublicSshKey.path}`,
  `PATCH ${routes.updatePolicies.path}`,
  `POST ${inspectionRoutes.requestJob.path}`,
  `POST ${inspectionRoutes.undo.path}`,
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
    const caller: FluxApiCaller = {
      ...{ token: tokenIn(request), called, request },
      needs: isRead(method) || harmless.has(called) ? "read" : "write",
      namespaces: ofSome.has(called) ? "some" : [],
    };
    const permission = await this.#permissionFor(caller);
    if (!isGrant(permission)) {
      sendError(response, errorResponse(errorOf(permission), request.headers.accept));
      return;
    }
    request.url = url;
    await this.#serve({ caller, grant: permission }, response);
  }

  /** Serves a request, and says how it ended to whoever has permitted it. */
  async #serve({ caller, grant }: Permitted, response: ServerResponse): Promise<void> {
    const { instanceId } = grant;
    let last = grant;
    const ask = async (what: AskedAgain): Promise<void> => {
      const permission = await this.#permissionFor({ ...caller, ...what });
      if (!isGrant(permission)) {
        // Whoever refuses it knows how it ended.
        last = { instanceId };
        throw errorOf(permission);
      }
      last = permission;
    };
    const reach = () => this.#options.hub.daemon(instanceId);
    const { all } = endpointsOf(this.#checked(forwardingApi(reach), ask), undefined);
    const askFor = (work: RequestedWork, job?: string): Promise<void> => {
      const about = { ...(job === undefined ? {} : { job }), ...describeWork(work) };
      return ask({ needs: "write", namespaces: [], about });
    };
    const own = forwardingEndpoints(reach, askFor).map((each) =>
      this.#whilePermitted(each, { caller, grant }),
    );
    const endpoints = { all: [...all, ...own], bodies: this.#bodies };
    await serveApi(endpoints, caller.request, response);
    await last.ended?.(response.statusCode < 400 ? "done" : "failed");
  }

  /** The API of a daemon, where it's asked what the request is about before it's sent on. */
  #checked(api: ApiServer, ask: (what: AskedAgain) => Promise<void>): ApiServer {
    return {
      ...api,
      listWorkloads: async (options, signal) => {
        await ask({ needs: "read", namespaces: namespacesListed(options) });
        return api.listWorkloads(options, signal);
      },
      listImages: async (options, signal) => {
        await ask({ needs: "read", namespaces: namespacesOfImages(options) });
        return api.listImages(options, signal);
      },
      updateManifests: async (update, signal) => {
        const about = describeUpdate(update);
        await ask({ needs: "write", namespaces: namespacesUpdated(update), about });
        return api.updateManifests(update, signal);
      },
      gitRepoConfig: async (regenerate, signal) => {
        if (regenerate) {
          await ask({ needs: "write", namespaces: [] });
        }
        return api.gitRepoConfig(regenerate, signal);
      },
    };
  }

  /** A route whose request can wait for news: it waits only as long as that's permitted. */
  #whilePermitted({ route, answer }: Endpoint, permitted: Permitted): Endpoint {
    const untilRefused = (signal: AbortSignal) => this.#untilRefused(permitted, signal);
    return {
      route,
      answer: (request) =>
        request.query.has("wait")
          ? whilePermitted((signal) => answer({ ...request, signal }), untilRefused, request.signal)
          : answer(request),
    };
  }

  /** Rejects with why it isn't permitted any more, or with the signal's reason. */
  async #untilRefused({ caller, grant }: Permitted, signal: AbortSignal): Promise<never> {
    for (let last = grant; ; ) {
      await (last.withdrawn?.(signal) ?? new Promise<never>(() => undefined));
      const permission = await this.#permissionFor(caller);
      if (!isGrant(permission)) {
        throw errorOf(permission);
      }
      last = permission;
    }
  }

  async #permissionFor(caller: FluxApiCaller): Promise<FluxApiPermission | 503> {
    try {
      return await this.#options.authorize(caller);
    } catch {
      return 503;
    }
  }
}

/** A request, and who has permitted it. */
interface Permitted {
  readonly caller: FluxApiCaller;
  readonly grant: FluxApiGrant;
}

/** Why a request isn't served. */
type Refused = FluxApiRefusal | 401 | 503;

function isGrant(permission: FluxApiPermission | 503): permission is FluxApiGrant {
  return typeof permission === "object" && "instanceId" in permission;
}

function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

function tokenIn({ headers }: IncomingMessage): string {
  return /^(?:Scope-Probe token=|Bearer\s+)(\S+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
}

function errorOf(refused: Refused): FluxError {
  switch (refused) {
    case 401:
      return new ErrorWithStatus(401, unauthorizedError());
    case 503:
      return new FluxError(
        "busy",
        "the console cannot check tokens at the moment",
        "The console cannot check tokens at the moment\n\nTry again in a while. If this goes on, look at the console's log.\n",
      );
    default:
      return new ErrorWithStatus(refused.status, new FluxError("user", refused.message, refused.help));
  }
}

/**
 * Does work that may take long, for as long as it's permitted. Rejects with the work's error, or with that of
 * `untilRefused`, which never resolves; the other one's signal is aborted then.
 */
async function whilePermitted<T>(
  work: (signal: AbortSignal) => Promise<T>,
  untilRefused: (signal: AbortSignal) => Promise<never>,
  signal: AbortSignal,
): Promise<T> {
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  try {
    return await Promise.race([work(either), untilRefused(either)]);
  } finally {
    over.abort();
  }
}

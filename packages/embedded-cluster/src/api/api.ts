/** The API: every request comes in here and leaves as an answer. */
import { type Logger, messageOf } from "@weir/base";
import { KubeApiError } from "@weir/kube";
import type { OpenApiDocuments } from "../openapi/documents.ts";
import type { ServedResource } from "../resources/served-resource.ts";
import { internalError, notFoundError, statusBody, unknownPathError } from "../status-errors.ts";
import { ExpiredTokenError } from "../verbs/list.ts";
import { readObject } from "../verbs/read-body.ts";
import { type Answer, jsonAnswer, textAnswer } from "./answer.ts";
import type { ApiContext } from "./api-context.ts";
import { discover } from "./discovery.ts";
import { renderObject } from "./render.ts";
import type { ApiRequest } from "./request.ts";
import { parseResourcePath } from "./request-info.ts";
import { answerResource, type ResourceRequest, rendering, withWarnings } from "./resource-requests.ts";
import { answerReview, isReview } from "./reviews.ts";
import { answerSubresource } from "./subresources.ts";

/** What the API is made of. */
export interface ApiParts {
  readonly context: ApiContext;
  readonly openApi: OpenApiDocuments;
  /** The answer to /version. */
  readonly version: object;
  readonly bookmarkEveryMs: number;
  readonly logger: Logger;
}

/** Answers a request; whatever goes wrong becomes a Status. */
export async function answer(parts: ApiParts, request: ApiRequest): Promise<Answer> {
  try {
    return await route(parts, request);
  } catch (error) {
    if (error instanceof KubeApiError) {
      return statusAnswer(error);
    }
    parts.logger.log({ err: messageOf(error), method: request.method, path: request.path });
    return statusAnswer(internalError(messageOf(error)));
  }
}

/** A refusal as an answer. */
export function statusAnswer(error: KubeApiError): Answer {
  const { status } = error;
  const body = statusBody(status);
  const retryAfter = status.details?.retryAfterSeconds;
  const metadata = error instanceof ExpiredTokenError ? { metadata: { continue: error.continueToken } } : {};
  return {
    ...jsonAnswer(status.code, { ...body, ...metadata }),
    ...(retryAfter === undefined ? {} : { headers: { "retry-after": String(retryAfter) } }),
  };
}

async function route(parts: ApiParts, request: ApiRequest): Promise<Answer> {
  const { context, openApi } = parts;
  const fixed =
    request.method === "GET" || request.method === "HEAD" ? answerFixed(parts, request) : undefined;
  if (fixed !== undefined) {
    return fixed;
  }
  const document =
    openApi.answer(request.path, request.headers.accept) ??
    discover(context.registry, request.path, request.headers.accept);
  return document ?? (await answerPath(parts, request));
}

async function answerPath(parts: ApiParts, request: ApiRequest): Promise<Answer> {
  const { context, bookmarkEveryMs } = parts;
  const path = parseResourcePath(request.path);
  const resource =
    path === undefined ? undefined : context.registry.find(path.group, path.version, path.resource);
  if (path === undefined || resource === undefined) {
    return answerUnknown(context, request.path);
  }
  if (path.subresource !== "" && !resource.subresources.has(path.subresource)) {
    throw resource.custom ? notFoundError(resource, path.name) : unknownPathError();
  }
  const asked = { request, path, resource, bookmarkEveryMs };
  if (isReview(resource)) {
    return answerQuestion(context, asked);
  }
  const answered = (await answerSubresource(context, asked)) ?? (await answerResource(context, asked));
  return withWarnings(answered, deprecationsOf(resource));
}

/** A path below a group that is there gets a Status; any other, what a web server says. */
function answerUnknown({ registry }: ApiContext, path: string): Answer {
  const [, root, first, second] = path.split("/");
  const [group, version] = root === "api" ? ["", first] : root === "apis" ? [first, second] : [];
  const versions = registry.group(group ?? "?")?.versions ?? [];
  const isCustom = versions.some(({ resources }) => resources.some(({ custom }) => custom));
  if (versions.some((one) => one.version === version || !isCustom)) {
    throw unknownPathError();
  }
  return textAnswer(404, "404 page not found\n");
}

async function answerQuestion(context: ApiContext, asked: ResourceRequest): Promise<Answer> {
  const { object } = await readObject(asked.request, asked.resource, "Ignore");
  const answered = answerReview(asked.resource, object);
  if (answered === undefined) {
    throw unknownPathError();
  }
  return renderObject(rendering(context, asked), 201, answered);
}

function answerFixed({ context, version }: ApiParts, { path }: ApiRequest): Answer | undefined {
  switch (path.replace(/(.)\/$/, "$1")) {
    case "/":
      return jsonAnswer(200, { paths: pathsOf(context) });
    case "/version":
      return jsonAnswer(200, version);
    case "/healthz":
    case "/livez":
    case "/readyz":
      return textAnswer(200, "ok");
    default:
      return undefined;
  }
}

function pathsOf({ registry }: ApiContext): readonly string[] {
  const groups = registry.groups.flatMap(({ name, versions }) => {
    const root = name === "" ? "/api" : `/apis/${name}`;
    return [root, ...versions.map(({ version }) => `${root}/${version}`)];
  });
  return [
    ...groups,
    "/apis",
    "/healthz",
    "/livez",
    "/openapi/v2",
    "/openapi/v3",
    "/readyz",
    "/version",
  ].sort();
}

/** What the API server tells everyone who uses these built-in kinds. */
const deprecated: Readonly<Record<string, string>> = {
  "v1 Endpoints": "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
  "v1 ComponentStatus": "v1 ComponentStatus is deprecated in v1.19+",
};

/** What a client should know of the kind that it asks for; nothing for almost all kinds. */
function deprecationsOf({ apiVersion, kind, deprecation }: ServedResource): readonly string[] {
  const text = deprecation ?? deprecated[`${apiVersion} ${kind}`];
  return text === undefined ? [] : [text];
}

import { apiLimits, messageOf, quoteGo } from "@weir/base";
import type { ApiServer } from "../api/api-server.ts";
import { encodeJobStatus } from "../api/job.ts";
import type { routes } from "../api/routes.ts";
import { encodeGitConfig, encodePublicSshKey, encodeWorkloads } from "../api/v6.ts";
import { encodeImageList } from "../api/v6-images.ts";
import { decodeChange } from "../api/v9.ts";
import { parseResourceId, type ResourceId } from "../resource/id.ts";
import { parseImageSpec } from "../update/image-spec.ts";
import { allWorkloadsSpec, type ReleaseKind, type UpdateSpec } from "../update/spec.ts";
import { decodePolicyUpdates, decodeUpdateRequest } from "../update/wire.ts";
import { type Answer, type ApiRequest, BadRequestError, type Handler, json, reading } from "./request.ts";

/** The handlers of Flux v1's routes, by route name. After Flux v1's pkg/http/daemon/server.go. */
export const handlers: Readonly<Record<keyof typeof routes, Handler<ApiServer>>> = {
  ping: async (server, { signal }) => {
    await server.ping(signal);
    return { status: 204 };
  },
  version: async (server, { signal }) => json(await server.version(signal)),
  notify: async (server, request) => {
    const change = reading(decodeChange, await request.json(apiLimits.smallBody));
    await server.notifyChange(change, request.signal);
    return { status: 202 };
  },
  listServices: listServices,
  listServicesWithOptions: listServices,
  listImages: listImages,
  listImagesWithOptions: listImages,
  updateManifests: async (server, request) => {
    const spec = reading(decodeUpdateRequest, await request.json());
    return json(await server.updateManifests(spec, request.signal));
  },
  jobStatus: async (server, { query, signal }) =>
    json(encodeJobStatus(await server.jobStatus(query.get("id") ?? "", signal))),
  syncStatus: async (server, { query, signal }) =>
    json(await server.syncStatus(query.get("ref") ?? "", signal)),
  export: async (server, { signal }) => json(Buffer.from(await server.exportAll(signal)).toString("base64")),
  gitRepoConfig: async (server, request) => {
    // As Flux v1, null counts as false.
    const regenerate = (await request.json(apiLimits.smallBody)) ?? false;
    if (typeof regenerate !== "boolean") {
      throw new BadRequestError("the request body is not a boolean (true: make a new SSH key)");
    }
    return json(encodeGitConfig(await server.gitRepoConfig(regenerate, request.signal)));
  },
  updateImages: async (server, { query, signal }) =>
    json(await server.updateManifests(releaseOf(query), signal)),
  updatePolicies: async (server, request) => {
    const body = await request.json();
    const spec = body === null ? null : reading(decodePolicyUpdates, body);
    const update: UpdateSpec = { type: "policy", cause: causeOf(request.query), spec };
    return json(await server.updateManifests(update, request.signal));
  },
  getPublicSshKey: async (server, { signal }) =>
    json(encodePublicSshKey((await server.gitRepoConfig(false, signal)).publicSshKey)),
  regeneratePublicSshKey: async (server, { signal }) => {
    await server.gitRepoConfig(true, signal);
    return { status: 204 };
  },
};

async function listServices(server: ApiServer, { query, signal }: ApiRequest): Promise<Answer> {
  const services = query.get("services") ?? "";
  const workloads =
    services === "" ? [] : services.split(",").map((id) => parsing("service spec", id, parseResourceId));
  const reports = await server.listWorkloads({ namespace: query.get("namespace") ?? "", workloads }, signal);
  return json(encodeWorkloads(reports));
}

async function listImages(server: ApiServer, { query, signal }: ApiRequest): Promise<Answer> {
  const fields = query.get("containerFields") ?? "";
  const options = {
    workload: parsing("service spec", query.get("service") || allWorkloadsSpec, workloadSpec),
    namespace: query.get("namespace") ?? "",
    fields: fields === "" ? [] : fields.split(","),
  };
  return json(encodeImageList(await server.listImages(options, signal)));
}

/** A release as old versions of fluxctl requested it: all in the query. */
function releaseOf(query: URLSearchParams): UpdateSpec {
  return {
    type: "image",
    cause: causeOf(query),
    spec: {
      workloads: query.getAll("service").map((text) => parsing("service spec", text, workloadSpec)),
      image: parsing("image spec", query.get("image") ?? "", parseImageSpec),
      kind: parsing("release kind", query.get("kind") ?? "", releaseKind),
      excludes: excludesOf(query.getAll("exclude")),
      force: false,
    },
  };
}

/** As Flux v1, an empty list is null on the wire. */
function excludesOf(texts: readonly string[]): readonly ResourceId[] | null {
  return texts.length === 0 ? null : texts.map((text) => parsing("excluded service", text, parseResourceId));
}

function causeOf(query: URLSearchParams): UpdateSpec["cause"] {
  return { message: query.get("message") ?? "", user: query.get("user") ?? "" };
}

/** Parses the name of a workload, or "all workloads". */
function workloadSpec(text: string): ResourceId | typeof allWorkloadsSpec {
  try {
    return text === allWorkloadsSpec ? text : parseResourceId(text);
  } catch (error) {
    throw new Error(`invalid workload spec: ${messageOf(error)}`, { cause: error });
  }
}

function releaseKind(text: string): ReleaseKind {
  if (text !== "plan" && text !== "execute") {
    throw new Error("invalid release kind");
  }
  return text;
}

function parsing<T>(what: string, text: string, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (error) {
    throw new BadRequestError(`parsing ${what} ${quoteGo(text)}: ${messageOf(error)}`, { cause: error });
  }
}

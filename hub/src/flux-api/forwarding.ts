import { apiLimits, type JsonValue } from "@weir/base";
import {
  type ApiServer,
  decodeJobRequest,
  decodeUndoRequest,
  inspectionRoutes,
  type RequestedWork,
  type Route,
  unknownEndpointError,
} from "@weir/flux/api";
import { type Answer, type ApiRequest, type Endpoint, json, reading } from "@weir/flux/serving";
import type { ReachedDaemon } from "../daemons/ports.ts";

/** Finds the daemon; called for each request that needs it. */
export type Reach = () => Promise<ReachedDaemon>;

/** Flux's API of a daemon that may be connected to another console. Methods reject like those of the daemon. */
export function forwardingApi(reach: Reach): ApiServer {
  const api = async (): Promise<ReachedDaemon["api"]> => (await reach()).api;
  return {
    ping: async (signal) => (await api()).ping(signal),
    version: async (signal) => (await api()).version(signal),
    notifyChange: async (change, signal) => (await api()).notifyChange(change, signal),
    listWorkloads: async (options, signal) => (await api()).listWorkloads(options, signal),
    listImages: async (options, signal) => (await api()).listImages(options, signal),
    updateManifests: async (spec, signal) => (await api()).updateManifests(spec, signal),
    jobStatus: async (id, signal) => (await api()).jobStatus(id, signal),
    syncStatus: async (ref, signal) => (await api()).syncStatus(ref, signal),
    exportAll: async (signal) => (await api()).exportAll(signal),
    gitRepoConfig: async (regenerate, signal) => (await api()).gitRepoConfig(regenerate, signal),
  };
}

/** Asks whether a job may be requested, once it's known what it is; rejects if it may not. */
type AskFor = (work: RequestedWork, id?: string) => Promise<void>;

/** Weir's own routes that a daemon offers a console. Those of a daemon of Flux v1 aren't there, as in its own API. */
export function forwardingEndpoints(reach: Reach, askFor: AskFor): readonly Endpoint[] {
  return Object.values(inspectionRoutes)
    .filter((route) => route !== inspectionRoutes.exportEverything)
    .map((route) => ({ route, answer: (request) => pass(route, { reach, askFor }, request) }));
}

interface Ways {
  readonly reach: Reach;
  readonly askFor: AskFor;
}

async function pass(route: Route, { reach, askFor }: Ways, request: ApiRequest): Promise<Answer> {
  const { query, signal } = request;
  const inspection = await (await reach()).inspection(signal);
  if (inspection === undefined) {
    throw unknownEndpointError(route.path);
  }
  const method = route.methods.includes("POST") ? "POST" : "GET";
  const hasBody = method === "POST" && route !== inspectionRoutes.check;
  const body = hasBody ? await request.json(apiLimits.body) : null;
  await askForJob(route, body, askFor);
  const asked = { method, path: route.path, query: Object.fromEntries(query), body } as const;
  const value = await inspection.transport.ask(asked, (answer) => answer, signal);
  return value === null ? { status: 204 } : json(value);
}

async function askForJob(route: Route, body: JsonValue, askFor: AskFor): Promise<void> {
  if (route === inspectionRoutes.requestJob) {
    const { id, work } = reading(decodeJobRequest, body);
    await askFor(work, id);
  } else if (route === inspectionRoutes.undo) {
    await askFor({ kind: "undo", request: reading(decodeUndoRequest, body) });
  }
}

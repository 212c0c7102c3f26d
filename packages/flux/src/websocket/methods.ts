/**
 * The methods that an upstream can call: for each name, how its argument is decoded, which method of the
 * ApiServer it calls, and how the result is encoded. After the RPCServer of Flux v1's pkg/remote/rpc.
 */
import type { JsonValue } from "@weir/base";
import type { ApiServer, ListImagesOptions } from "../api/api-server.ts";
import { encodeJobStatus } from "../api/job.ts";
import { encodeGitConfig, encodeWorkloads } from "../api/v6.ts";
import { encodeImageList } from "../api/v6-images.ts";
import { decodeChange } from "../api/v9.ts";
import { decodeListImagesOptions, parseWorkloadSpec } from "../api/v10.ts";
import { decodeRouteRequest, inspectTimeout, type RouteRequest } from "../api/v12-inspect.ts";
import type { UpdateSpec } from "../update/spec.ts";
import { decodeUpdateRequest } from "../update/wire.ts";
import { bare, type Envelope, errorOnly, resultOr } from "./envelope.ts";
import { goKind } from "./messages.ts";

/** A method of the RPC. */
export interface RpcMethod {
  readonly envelope: Envelope;
  /** Decodes the argument, null if there was none. Throws the errors of its decoder. */
  prepare(argument: JsonValue): RpcCall;
}

/** A prepared call. */
export interface RpcCall {
  /** In milliseconds; "none" for calls that have their own time limit and can take longer than usual. */
  readonly limit: "usual" | "none" | number;
  run(api: ApiServer, signal: AbortSignal): Promise<JsonValue>;
}

/** The prefix of all method names. */
export const serviceName = "RPCServer";

/** The methods of the service. ListServicesWithOptions isn't one of them, as in Flux v1. */
export const methods: ReadonlyMap<string, RpcMethod> = new Map([
  [
    "Ping",
    method(nothing, bare, async (api, _, signal) => {
      await api.ping(signal);
      return {};
    }),
  ],
  ["Version", method(nothing, bare, async (api, _, signal) => api.version(signal))],
  [
    "Export",
    method(nothing, resultOr(null), async (api, _, signal) =>
      Buffer.from(await api.exportAll(signal)).toString("base64"),
    ),
  ],
  [
    "ListServices",
    method(text("string"), resultOr(null), async (api, namespace, signal) =>
      encodeWorkloads(await api.listWorkloads({ namespace, workloads: [] }, signal)),
    ),
  ],
  ["ListImages", method(decodeImagesOf, resultOr(null), listImages)],
  ["ListImagesWithOptions", method(decodeListImagesOptions, resultOr(null), listImages)],
  [
    "UpdateManifests",
    method(
      decodeUpdateRequest,
      resultOr(""),
      (api, spec, signal) => api.updateManifests(spec, signal),
      (spec) => (isPlan(spec) ? "none" : "usual"),
    ),
  ],
  [
    "NotifyChange",
    method(decodeChange, errorOnly, async (api, change, signal) => {
      await api.notifyChange(change, signal);
      return null;
    }),
  ],
  [
    "JobStatus",
    method(text("job.ID"), resultOr({ Result: {}, Err: "", StatusString: "" }), async (api, id, signal) =>
      encodeJobStatus(await api.jobStatus(id, signal)),
    ),
  ],
  ["SyncStatus", method(text("string"), resultOr(null), (api, ref, signal) => api.syncStatus(ref, signal))],
  [
    "GitRepoConfig",
    method(flag, resultOr(emptyGitConfig()), async (api, regenerate, signal) =>
      encodeGitConfig(await api.gitRepoConfig(regenerate, signal)),
    ),
  ],
]);

/** Answers a request to one of Weir's own routes; rejects with a FluxError. */
export type Inspect = (request: RouteRequest, signal: AbortSignal) => Promise<JsonValue>;

/** Weir's own method, through which an upstream reaches its own routes. */
export function inspectionMethod(inspect: Inspect): RpcMethod {
  return method(
    decodeRouteRequest,
    resultOr(null),
    (_api, request, signal) => inspect(request, signal),
    () => inspectTimeout,
  );
}

function method<A>(
  decode: (argument: JsonValue) => A,
  envelope: Envelope,
  call: (api: ApiServer, argument: A, signal: AbortSignal) => Promise<JsonValue>,
  limitOf: (argument: A) => RpcCall["limit"] = () => "usual",
): RpcMethod {
  return {
    envelope,
    prepare: (given) => {
      const argument = decode(given);
      return { limit: limitOf(argument), run: (api, signal) => call(api, argument, signal) };
    },
  };
}

async function listImages(
  api: ApiServer,
  options: ListImagesOptions,
  signal: AbortSignal,
): Promise<JsonValue> {
  return encodeImageList(await api.listImages(options, signal));
}

/** A plan is made while the caller waits, with the time limit of syncs. */
function isPlan(spec: UpdateSpec): boolean {
  return (spec.type === "image" || spec.type === "containers") && spec.spec.kind === "plan";
}

function emptyGitConfig(): JsonValue {
  return {
    remote: { url: "", branch: "", path: "" },
    publicSSHKey: { key: "", fingerprints: null },
    status: "",
    errors: "",
  };
}

function decodeImagesOf(argument: JsonValue): ListImagesOptions {
  return { workload: parseWorkloadSpec(text("update.ResourceSpec")(argument)), namespace: "", fields: [] };
}

/** An argument has the wrong type for its method; the message is that of Go's decoder. */
class ArgumentError extends Error {
  override readonly name = "ArgumentError";

  constructor(found: JsonValue, goType: string) {
    super(`json: cannot unmarshal ${goKind(found)} into Go value of type ${goType}`);
  }
}

function nothing(argument: JsonValue): void {
  if (typeof argument !== "object" || Array.isArray(argument)) {
    throw new ArgumentError(argument, "struct {}");
  }
}

function text(goType: string): (argument: JsonValue) => string {
  return (argument) => {
    if (argument !== null && typeof argument !== "string") {
      throw new ArgumentError(argument, goType);
    }
    return argument ?? "";
  };
}

function flag(argument: JsonValue): boolean {
  if (argument !== null && typeof argument !== "boolean") {
    throw new ArgumentError(argument, "bool");
  }
  return argument ?? false;
}

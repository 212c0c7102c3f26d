/**
 * A connected daemon as something that can be asked, whatever its version: in flow the questions of an ApiServer, out
 * flow calls over the RPC. After the clients of Flux v1's pkg/remote/rpc, whose polyfills it has.
 */
import { FluxError, messageOf } from "../../base/errors.ts";
import type { JsonValue } from "../../base/json.ts";
import { type Decode, JsonReader, listAt, textAt } from "../../base/json-reader.ts";
import { partsOfResourceId } from "../../resource/id.ts";
import type { UpdateSpec } from "../../update/spec.ts";
import { allWorkloadsSpec } from "../../update/spec.ts";
import { encodeUpdateSpec } from "../../update/wire.ts";
import type {
  ApiServer,
  Change,
  ListImagesOptions,
  ListWorkloadsOptions,
  WorkloadImagesReport,
  WorkloadStatusReport,
} from "../types/api-server.ts";
import { decodeFluxError } from "../types/errors.ts";
import { decodeJobStatus } from "../types/job.ts";
import { decodeGitConfig, decodeWorkloads } from "../types/v6.ts";
import { decodeImageList } from "../types/v6-images.ts";
import { encodeChange } from "../types/v9.ts";
import { encodeListImagesOptions } from "../types/v10.ts";
import { encodeListServicesOptions } from "../types/v11.ts";
import { applicationError, FatalError, RemoteError, upgradeNeededError } from "./errors.ts";
import { withFields, withRollout } from "./polyfills.ts";
import { type Protocol, requireImagesOf, requireListable, requireUpdatable } from "./protocol.ts";
import type { CallLimits } from "./rpc-client.ts";

/** What a daemon can be asked; its version has to be asked for, too. */
export type RemoteDaemon = Omit<ApiServer, "version"> & {
  /** "unknown" where the daemon is too old to tell. */
  version(signal: AbortSignal): Promise<string>;
};

/** Calls a method and resolves to its result; RpcClient.call. */
export type Call = (
  method: string,
  argument: JsonValue,
  limits: CallLimits,
  signal: AbortSignal,
) => Promise<JsonValue>;

/** Longer than the 10 s that a daemon gives itself, in milliseconds. */
const usual: CallLimits = { timeout: 20_000 };

/** A plan of a release is made while we wait; a daemon gives itself its --sync-timeout, of 1 min if nothing is said. */
const patient: CallLimits = { timeout: 600_000 };

/**
 * Every method rejects with the FluxError that the daemon sent, one that says what the daemon lacks, RemoteError
 * for other errors of the daemon, and FatalError where the answer cannot be read or the connection fails.
 */
export function remoteDaemon(call: Call, protocol: Protocol): RemoteDaemon {
  const asker = new Asker(call, protocol);
  return {
    ping: async (signal) => {
      await call("Ping", {}, usual, signal);
    },
    version: (signal) => versionBy(call, signal),
    exportAll: (signal) => asker.ask("Export", {}, decodeBytes, signal),
    listWorkloads: (options, signal) => listWorkloads(asker, options, signal),
    listImages: (options, signal) => listImages(asker, options, signal),
    updateManifests: async (spec, signal) => {
      requireUpdatable(spec, protocol);
      return asker.ask("UpdateManifests", encodeUpdateSpec(spec), decodeText, signal, limitsOf(spec));
    },
    notifyChange: (change, signal) => notifyChange(asker, change, signal),
    jobStatus: (id, signal) => asker.ask("JobStatus", id, decodeJobStatus, signal),
    syncStatus: (ref, signal) => asker.ask("SyncStatus", ref, decodeTexts, signal),
    gitRepoConfig: (regenerate, signal) => asker.ask("GitRepoConfig", regenerate, decodeGitConfig, signal),
  };
}

/** Asks in the form of one version. */
class Asker {
  readonly protocol: Protocol;
  readonly #call: Call;

  constructor(call: Call, protocol: Protocol) {
    this.#call = call;
    this.protocol = protocol;
  }

  async ask<T>(
    method: string,
    argument: JsonValue,
    decode: Decode<T>,
    signal: AbortSignal,
    limits = usual,
  ): Promise<T> {
    if (!this.protocol.envelope) {
      return readable(method, await this.#bareCall(method, argument, limits, signal), decode);
    }
    const answer = await this.#call(method, argument, limits, signal);
    return readable(method, answer, (value) => unwrap(value, decode));
  }

  /** Of what is not fatal, a line of text is all there is. */
  async #bareCall(
    method: string,
    argument: JsonValue,
    limits: CallLimits,
    signal: AbortSignal,
  ): Promise<JsonValue> {
    try {
      return await this.#call(method, argument, limits, signal);
    } catch (error) {
      throw error instanceof RemoteError ? applicationError(error) : error;
    }
  }
}

async function versionBy(call: Call, signal: AbortSignal): Promise<string> {
  try {
    return readable("Version", await call("Version", {}, usual, signal), textAt);
  } catch (error) {
    if (isMissing(error, "Version")) {
      return "unknown";
    }
    throw error;
  }
}

async function listWorkloads(
  asker: Asker,
  options: ListWorkloadsOptions,
  signal: AbortSignal,
): Promise<readonly WorkloadStatusReport[]> {
  const { namespace, workloads } = options;
  if (namespace !== "" && workloads.length > 0) {
    throw new Error("cannot filter by 'namespace' and 'services' at the same time");
  }
  requireListable(workloads, asker.protocol);
  const listed = (await chosenByDaemon(asker, options, signal)) ?? (await chosenByUs(asker, options, signal));
  return listed.map(withRollout);
}

/** Undefined where the daemon does not choose: older than version 11, or of Flux, which never served the method. */
async function chosenByDaemon(
  asker: Asker,
  options: ListWorkloadsOptions,
  signal: AbortSignal,
): Promise<readonly WorkloadStatusReport[] | undefined> {
  if (!asker.protocol.servicesWithOptions || options.workloads.length === 0) {
    return undefined;
  }
  const method = "ListServicesWithOptions";
  try {
    return await asker.ask(method, encodeListServicesOptions(options), decodeWorkloads, signal);
  } catch (error) {
    if (isMissing(error, method)) {
      return undefined;
    }
    throw error;
  }
}

async function chosenByUs(
  asker: Asker,
  { namespace, workloads }: ListWorkloadsOptions,
  signal: AbortSignal,
): Promise<readonly WorkloadStatusReport[]> {
  const all = await asker.ask("ListServices", namespace, decodeWorkloads, signal);
  const wanted = new Set(workloads);
  return wanted.size === 0 ? all : all.filter(({ id }) => wanted.has(id));
}

async function listImages(
  asker: Asker,
  options: ListImagesOptions,
  signal: AbortSignal,
): Promise<readonly WorkloadImagesReport[]> {
  requireImagesOf(options.workload, asker.protocol);
  if (asker.protocol.imagesWithOptions) {
    const argument = encodeListImagesOptions(options);
    return asker.ask("ListImagesWithOptions", argument, decodeImageList, signal);
  }
  const images = await asker.ask("ListImages", options.workload, decodeImageList, signal);
  const namespace = namespaceOf(options);
  const workloads = await asker.ask("ListServices", namespace, decodeWorkloads, signal);
  const chosen = images.filter(({ id }) => namespace === "" || partsOfResourceId(id).namespace === namespace);
  return withFields(chosen, workloads, options.fields);
}

function namespaceOf({ workload, namespace }: ListImagesOptions): string {
  return workload === allWorkloadsSpec ? namespace : partsOfResourceId(workload).namespace;
}

/** A daemon before version 9 can only be told that something changed in git. */
async function notifyChange(asker: Asker, change: Change, signal: AbortSignal): Promise<void> {
  if (asker.protocol.notifyChange) {
    await asker.ask("NotifyChange", encodeChange(change), nothing, signal);
  } else if (change.kind === "git") {
    await asker.ask("SyncNotify", {}, nothing, signal);
  } else {
    throw upgradeNeededError("NotifyChange method not implemented");
  }
}

function limitsOf(spec: UpdateSpec): CallLimits {
  return (spec.type === "image" || spec.type === "containers") && spec.spec.kind === "plan" ? patient : usual;
}

/** Go's words for a method that is not served. */
function isMissing(error: unknown, method: string): boolean {
  return error instanceof RemoteError && error.message === `rpc: can't find method RPCServer.${method}`;
}

/** Throws the error of the API that an answer holds. */
function unwrap<T>(answer: JsonValue, decode: Decode<T>): T {
  const reader = new JsonReader(answer);
  const refusal = reader.value("ApplicationError", decodeFluxError);
  if (refusal !== undefined) {
    throw refusal;
  }
  return decode(reader.value("Result", (value) => value) ?? null, "Result");
}

/** An answer that does not read as what was asked for is as bad as none. */
function readable<T>(method: string, answer: JsonValue, decode: Decode<T>): T {
  try {
    return decode(answer, "");
  } catch (error) {
    if (error instanceof FluxError) {
      throw error;
    }
    throw new FatalError(`reading the answer of ${method}: ${messageOf(error)}`, { cause: error });
  }
}

function nothing(): void {
  // The answer says no more than that there is one.
}

function decodeText(value: JsonValue, path: string): string {
  return value === null ? "" : textAt(value, path);
}

function decodeTexts(value: JsonValue, path: string): readonly string[] {
  return value === null ? [] : listAt(value, path, textAt);
}

function decodeBytes(value: JsonValue, path: string): string {
  return Buffer.from(decodeText(value, path), "base64").toString("utf8");
}

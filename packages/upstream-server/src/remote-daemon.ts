/**
 * An ApiServer for a connected daemon of any version: converts method calls to RPC calls. After the clients
 * of Flux v1's pkg/remote/rpc, including their polyfills.
 */
import { type JsonValue, listAt, textAt } from "@weir/base";
import { encodeUpdateSpec, type UpdateSpec } from "@weir/flux";
import { type ApiServer, type Change, decodeGitConfig, decodeJobStatus, encodeChange } from "@weir/flux/api";
import { Asker, type Call, isMissing, readable, usualLimits } from "./asker.ts";
import { upgradeNeededError } from "./errors.ts";
import { listImages, listWorkloads } from "./lists.ts";
import { type Protocol, requireUpdatable } from "./protocol.ts";
import type { CallLimits } from "./rpc-client.ts";

/** The methods of a daemon. */
export interface RemoteDaemon extends ApiServer {
  /** "unknown" if the daemon is too old to report it. */
  version(signal: AbortSignal): Promise<string>;
}

/**
 * A release is planned while the caller waits; the daemon's own limit is --sync-timeout, 1 minute by default.
 */
const planLimits: CallLimits = { timeout: 600_000 };

/**
 * Every method rejects with the FluxError that the daemon sent, a FluxError that says what the daemon lacks,
 * RemoteError for other errors of the daemon, or FatalError if the response is invalid or the connection
 * fails.
 */
export function remoteDaemon(call: Call, protocol: Protocol): RemoteDaemon {
  const asker = new Asker(call, protocol);
  return {
    ping: async (signal) => {
      await call("Ping", {}, usualLimits, signal);
    },
    version: (signal) => versionBy(call, signal),
    exportAll: (signal) => asker.ask({ method: "Export", argument: {}, decode: decodeBytes }, signal),
    listWorkloads: (options, signal) => listWorkloads(asker, options, signal),
    listImages: (options, signal) => listImages(asker, options, signal),
    updateManifests: async (spec, signal) => {
      requireUpdatable(spec, protocol);
      return asker.ask(
        {
          method: "UpdateManifests",
          argument: encodeUpdateSpec(spec),
          decode: decodeText,
          limits: limitsOf(spec),
        },
        signal,
      );
    },
    notifyChange: (change, signal) => notifyChange(asker, change, signal),
    jobStatus: (id, signal) =>
      asker.ask({ method: "JobStatus", argument: id, decode: decodeJobStatus }, signal),
    syncStatus: (ref, signal) =>
      asker.ask({ method: "SyncStatus", argument: ref, decode: decodeTexts }, signal),
    gitRepoConfig: (regenerate, signal) =>
      asker.ask({ method: "GitRepoConfig", argument: regenerate, decode: decodeGitConfig }, signal),
  };
}

async function versionBy(call: Call, signal: AbortSignal): Promise<string> {
  try {
    return readable("Version", await call("Version", {}, usualLimits, signal), textAt);
  } catch (error) {
    if (isMissing(error, "Version")) {
      return "unknown";
    }
    throw error;
  }
}

/** A daemon before version 9 can only be notified that something changed in git. */
async function notifyChange(asker: Asker, change: Change, signal: AbortSignal): Promise<void> {
  if (asker.protocol.notifyChange) {
    await asker.ask({ method: "NotifyChange", argument: encodeChange(change), decode: nothing }, signal);
  } else if (change.kind === "git") {
    await asker.ask({ method: "SyncNotify", argument: {}, decode: nothing }, signal);
  } else {
    throw upgradeNeededError("NotifyChange method not implemented");
  }
}

function limitsOf(spec: UpdateSpec): CallLimits {
  return (spec.type === "image" || spec.type === "containers") && spec.spec.kind === "plan"
    ? planLimits
    : usualLimits;
}

function nothing(): void {
  // The response only confirms the call.
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

import type { Decode } from "@weir/base";
import {
  encodeRouteRequest,
  inspectionRoutes,
  inspectMethod,
  inspectTimeout,
  type RouteRequest,
} from "@weir/flux/api";
import { getFrom, InspectionClient, type Transport } from "@weir/flux/client";
import { Asker, type Call, isMissing, usualLimits } from "./asker.ts";
import { RemoteError } from "./errors.ts";
import type { Protocol } from "./protocol.ts";
import type { CallLimits } from "./rpc-client.ts";

/** Longer than the daemon's own limit. */
const inspectLimits: CallLimits = { timeout: inspectTimeout + 10_000 };

/** Sends requests to Weir's routes over the RPC of a daemon. */
class RpcTransport implements Transport {
  readonly #asker: Asker;

  constructor(asker: Asker) {
    this.#asker = asker;
  }

  /** Rejects as described at remoteDaemon. */
  ask<T>(request: RouteRequest, decode: Decode<T>, signal: AbortSignal): Promise<T> {
    const argument = encodeRouteRequest(request);
    return this.#asker.ask({ method: inspectMethod, argument, decode, limits: inspectLimits }, signal);
  }
}

/** Weir's routes of one daemon, if it has them. It's asked about that only until it has answered once. */
export class Inspectable {
  readonly #call: Call;
  readonly #protocol: Protocol;
  #found: { readonly client: InspectionClient | undefined } | undefined;

  constructor(call: Call, protocol: Protocol) {
    this.#call = call;
    this.#protocol = protocol;
  }

  /**
   * Resolves to a client, or to undefined for a daemon of Flux v1. Rejects with a FluxError (unavailable), FatalError,
   * or the signal's reason if the daemon doesn't answer.
   */
  async client(signal: AbortSignal): Promise<InspectionClient | undefined> {
    this.#found ??= { client: (await this.#isWeir(signal)) ? this.#connect() : undefined };
    return this.#found.client;
  }

  #connect(): InspectionClient {
    return new InspectionClient(new RpcTransport(new Asker(this.#call, this.#protocol)));
  }

  /** Any answer will do, except that there's no such method. The request is for what takes the least to answer. */
  async #isWeir(signal: AbortSignal): Promise<boolean> {
    if (!this.#protocol.inspect) {
      return false;
    }
    const request = encodeRouteRequest(getFrom(inspectionRoutes.suspensions));
    try {
      await this.#call(inspectMethod, request, usualLimits, signal);
      return true;
    } catch (error) {
      if (error instanceof RemoteError) {
        return !isMissing(error, inspectMethod);
      }
      throw error;
    }
  }
}

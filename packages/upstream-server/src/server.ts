/**
 * The server for --connect: accepts connections and events from daemons, for a console that calls them. It
 * attaches to an HTTP server; its owner decides who can connect.
 */

import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { type Clock, messageOf, upstreamLimits } from "@weir/base";
import { unauthorizedError, unknownEndpointError } from "@weir/flux/api";
import type { InspectionClient } from "@weir/flux/client";
import {
  BadRequestError,
  BodyTooLargeError,
  badRequestResponse,
  type ErrorResponse,
  errorResponse,
  errorResponseWith,
  parseJson,
  readBody,
} from "@weir/flux/serving";
import { Channel, type ChannelEnd, socketOptions } from "@weir/flux/websocket";
import { WebSocketServer } from "ws";
import type { Call } from "./asker.ts";
import { Inspectable } from "./inspection.ts";
import { type Protocol, type ProtocolVersion, protocolOf, protocolVersions } from "./protocol.ts";
import { decodeReceivedEvent, type ReceivedEvent } from "./received-event.ts";
import { type RemoteDaemon, remoteDaemon } from "./remote-daemon.ts";
import { RpcClient } from "./rpc-client.ts";

/** A client that wants to connect. */
export interface Caller {
  /** The complete Authorization header; "" if there is none. */
  readonly authorization: string;
  /** The text after "Scope-Probe token=" in the header; "" if there is none. */
  readonly token: string;
  /** E.g. "fluxd/1.25.4". */
  readonly userAgent: string;
}

/**
 * Whether a caller can connect: 401 for an unknown token, 403 for a token without permission, 410 for "never
 * again".
 */
export type Admission = "welcome" | 401 | 403 | 410;

/** A connected daemon. */
export interface ConnectedDaemon {
  readonly caller: Caller;
  readonly protocol: ProtocolVersion;
  /** Calls the daemon. */
  readonly api: RemoteDaemon;
  /** Calls a method as it is, to pass on calls of others. */
  readonly call: Call;
  /**
   * Resolves to Weir's additions, or to undefined for a daemon of Flux v1. Asks the daemon the first time; rejects with a
   * FluxError or FatalError if it doesn't answer.
   */
  inspection(signal: AbortSignal): Promise<InspectionClient | undefined>;
  /** Resolves when the connection has ended. */
  readonly closed: Promise<ChannelEnd>;
  /** Closes the connection; a daemon connects again after a few seconds. */
  close(): Promise<void>;
}

/** Callbacks and settings from the owner of the server. */
export interface UpstreamServerOptions {
  /** The path before /v11/daemon and /v6/events, e.g. "/api/flux"; "" for none. */
  readonly basePath: string;
  admit(caller: Caller): Admission | Promise<Admission>;
  connected(daemon: ConnectedDaemon): void;
  /** If this rejects, the daemon gets the error and sends the event again. */
  event(event: ReceivedEvent, caller: Caller): Promise<void>;
  readonly clock: Clock;
}

/** Flux daemons send frames of 4096 bytes; this many are enough for the largest response. */
const maxFragments = upstreamLimits.answer / 4096;

/** Accepts daemons on an HTTP server until it's closed. */
export class UpstreamServer {
  readonly #options: UpstreamServerOptions;
  readonly #channels = new Set<Channel>();
  readonly #sockets = new WebSocketServer({
    noServer: true,
    ...socketOptions,
    maxPayload: upstreamLimits.answer,
    ...{ maxFragments },
  });

  constructor(options: UpstreamServerOptions) {
    this.#options = options;
  }

  /** Handles all requests of the server. */
  attach(server: Server): void {
    server.on("upgrade", (request, socket, head) => void this.handleUpgrade(request, socket, head));
    server.on("request", (request, response) => void this.handleRequest(request, response));
  }

  /** Handles a request to open a websocket; never rejects. */
  async handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on("error", () => undefined);
    const caller = callerOf(request);
    const protocol = this.#protocolOf(request);
    const status = protocol === undefined ? 404 : await this.#admission(caller);
    if (protocol === undefined || status !== "welcome") {
      refuseUpgrade(socket, status === "welcome" ? 404 : status);
      return;
    }
    this.#sockets.handleUpgrade(request, socket, head, (websocket) => {
      this.#connect(new Channel(websocket, this.#options.clock), caller, protocol);
    });
  }

  /** Handles any other request: accepts events, and refuses everything else. Never rejects. */
  async handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, contentType, body } = await this.#answer(request);
    response.writeHead(status, contentType === "" ? {} : { "Content-Type": contentType }).end(body);
  }

  /** Closes all connections; resolves when they have ended. */
  async close(): Promise<void> {
    await Promise.all([...this.#channels].map((channel) => channel.close()));
  }

  #connect(channel: Channel, caller: Caller, version: ProtocolVersion): void {
    this.#channels.add(channel);
    void channel.closed.then(() => this.#channels.delete(channel));
    const client = new RpcClient(channel, this.#options.clock);
    const [call, protocol]: [Call, Protocol] = [(...given) => client.call(...given), protocolOf(version)];
    const inspectable = new Inspectable(call, protocol);
    this.#options.connected({
      caller,
      protocol: version,
      call,
      api: remoteDaemon(call, protocol),
      inspection: (signal) => inspectable.client(signal),
      closed: channel.closed,
      close: () => channel.close(),
    });
  }

  #protocolOf(request: IncomingMessage): ProtocolVersion | undefined {
    const path = pathOf(request);
    return protocolVersions.find((version) => path === `${this.#options.basePath}/v${version}/daemon`);
  }

  async #admission(caller: Caller): Promise<Admission | 500> {
    try {
      return await this.#options.admit(caller);
    } catch {
      return 500;
    }
  }

  async #answer(request: IncomingMessage): Promise<ErrorResponse> {
    const { accept } = request.headers;
    if (request.method !== "POST" || pathOf(request) !== `${this.#options.basePath}/v6/events`) {
      return errorResponseWith(404, unknownEndpointError(pathOf(request)), accept);
    }
    const caller = callerOf(request);
    const admission = await this.#admission(caller);
    if (admission !== "welcome") {
      return errorResponseWith(admission, unauthorizedError(), accept);
    }
    try {
      await this.#options.event(await readEvent(request), caller);
      return { status: 204, contentType: "", body: "" };
    } catch (error) {
      return eventRefusal(error, accept);
    }
  }
}

async function readEvent(request: IncomingMessage): Promise<ReceivedEvent> {
  const json = parseJson(await readBody(request, upstreamLimits.message));
  try {
    return decodeReceivedEvent(json);
  } catch (error) {
    throw new BadRequestError(messageOf(error), { cause: error });
  }
}

function eventRefusal(error: unknown, accept: string | undefined): ErrorResponse {
  if (error instanceof BadRequestError) {
    return badRequestResponse(error.message, accept);
  }
  return error instanceof BodyTooLargeError
    ? badRequestResponse(error.message, accept, 413)
    : errorResponse(error, accept);
}

function callerOf({ headers }: IncomingMessage): Caller {
  const authorization = headers.authorization ?? "";
  return {
    authorization,
    token: /^Scope-Probe token=(.*)$/i.exec(authorization)?.[1] ?? "",
    userAgent: headers["user-agent"] ?? "",
  };
}

function pathOf({ url = "/" }: IncomingMessage): string {
  return url.split("?", 1)[0] ?? "";
}

function refuseUpgrade(socket: Duplex, status: number): void {
  const line = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`.trimEnd();
  socket.end(`${line}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

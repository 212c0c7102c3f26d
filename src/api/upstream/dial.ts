import { type IncomingMessage, STATUS_CODES } from "node:http";
import { abortReason, type Clock } from "@weir/base";
import { reasonOf } from "@weir/flux/client";
import { Channel, socketOptions } from "@weir/flux/websocket";
import { WebSocket } from "ws";
import { safeUrl } from "./endpoints.ts";
import { DialError, EndpointGoneError } from "./errors.ts";

/** The server to connect to, and the credentials. */
export interface DialOptions {
  readonly url: URL;
  readonly userAgent: string;
  /** "" for none. */
  readonly token: string;
  readonly clock: Clock;
}

/** The time limit for connecting and the handshake, in milliseconds. */
const handshakeTimeout = 10_000;

/**
 * Opens a websocket. Rejects with EndpointGoneError if the upstream has ended the protocol (410), or else
 * with DialError, whose message begins with Flux v1's and adds a remedy.
 */
export async function dial(options: DialOptions, signal: AbortSignal): Promise<Channel> {
  signal.throwIfAborted();
  const { url, userAgent, token, clock } = options;
  const socket = new WebSocket(url, {
    ...socketOptions,
    handshakeTimeout,
    followRedirects: false,
    headers: { "User-Agent": userAgent, ...authorization(token) },
  });
  const abort = (): void => socket.terminate();
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await opened(socket, url, clock);
  } catch (error) {
    throw signal.aborted ? abortReason(signal) : error;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** The header in which Flux v1 sends its token. */
export function authorization(token: string): Readonly<Record<string, string>> {
  return token === "" ? {} : { Authorization: `Scope-Probe token=${token}` };
}

/** The channel is created in the same tick in which the socket opens, so that it misses nothing. */
function opened(socket: WebSocket, url: URL, clock: Clock): Promise<Channel> {
  return new Promise((resolve, reject) => {
    socket.once("open", () => resolve(new Channel(socket, clock)));
    socket.once("unexpected-response", (request, response) => {
      reject(refusalOf(url, response));
      request.destroy();
    });
    socket.on("error", (error) => {
      const message = `executing websocket ${safeUrl(url)}: ${reasonOf(error)}`;
      reject(new DialError(message, undefined, { cause: error }));
    });
  });
}

function refusalOf(url: URL, { statusCode: status = 0 }: IncomingMessage): Error {
  const shown = safeUrl(url);
  if (status === 410) {
    return new EndpointGoneError();
  }
  const fact = `connecting to websocket ${shown} (http status code = ${status})`;
  return new DialError(`executing websocket ${shown}: ${fact}${adviceOn(status)}`, status);
}

/** Advice on a handshake status for whoever runs fluxd; "" if the status is self-explanatory. */
function adviceOn(status: number): string {
  const advice = status >= 300 && status < 400 ? movedAdvice : adviceByStatus.get(status);
  const name = STATUS_CODES[status];
  return advice === undefined ? "" : `: ${name === undefined ? "" : `${name}; `}${advice}`;
}

const movedAdvice = "redirects are not followed, so give the new address with --connect";
const noProtocol = "the server there does not accept websockets of this protocol (v11), so check --connect";

const adviceByStatus: ReadonlyMap<number, string> = new Map([
  [401, "the upstream does not recognize the token given with --token"],
  [403, "the upstream does not allow the token given with --token"],
  [200, noProtocol],
  [400, noProtocol],
  [404, noProtocol],
  [405, noProtocol],
  [426, noProtocol],
]);

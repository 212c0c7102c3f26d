import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type Clock, kubernetesLimits, systemClock, toError } from "@weir/base";
import { readText } from "../rest/body.ts";
import type { ClusterCredentials, RequestHeaders } from "../rest/credentials.ts";
import { refusalOf } from "../rest/status.ts";
import { ConnectionError } from "../rest/transport.ts";
import { dial } from "./dial.ts";

/** A websocket request to an API server. */
export interface WebSocketRequest {
  /** The path and the query. */
  readonly target: string;
  /** The subprotocol; a server that doesn't support it is an error. */
  readonly protocol: string;
  readonly headers: RequestHeaders;
  /** Closes the websocket at any time. */
  readonly signal: AbortSignal;
  readonly clock?: Clock;
}

/**
 * Opens a websocket with the credentials of a cluster, as a stream in which each chunk is a message. Rejects
 * with KubeApiError if the server refuses, and with ConnectionError if it can't be reached.
 */
export async function openWebSocket(
  credentials: ClusterCredentials,
  request: WebSocketRequest,
): Promise<Duplex> {
  const { signal, clock = systemClock } = request;
  const [{ createWebSocketStream, WebSocket }, { socket }, identity] = await Promise.all([
    import("ws"),
    dial(credentials, ["http/1.1"], clock, signal),
    credentials.headers(signal),
  ]);
  const url = `${credentials.server.replace(/^http/, "ws")}${request.target}`;
  const websocket = new WebSocket(url, [request.protocol], {
    headers: { ...identity, ...request.headers },
    createConnection: () => socket,
    perMessageDeflate: false,
    maxPayload: kubernetesLimits.portMessage,
  });
  const aborted = (): void => websocket.terminate();
  signal.addEventListener("abort", aborted, { once: true });
  websocket.once("close", () => signal.removeEventListener("abort", aborted));
  // Created immediately, so that no message or error is lost before somebody listens.
  const stream = createWebSocketStream(websocket, { readableObjectMode: true });
  stream.on("error", () => undefined);
  return new Promise((resolve, reject) => {
    websocket.once("open", () => resolve(stream));
    websocket.once("unexpected-response", (_request, response) => {
      readRefusal(response)
        .then(reject, reject)
        .finally(() => websocket.terminate());
    });
    websocket.once("error", (error) => {
      reject(
        signal.aborted
          ? toError(signal.reason)
          : new ConnectionError(
              { server: credentials.server, sent: true, reason: error.message },
              { cause: error },
            ),
      );
    });
  });
}

async function readRefusal(response: IncomingMessage): Promise<Error> {
  const { text } = await readText(
    { body: response, discard: () => void response.destroy() },
    kubernetesLimits.refusal,
  );
  return refusalOf(response.statusCode ?? 0, text());
}

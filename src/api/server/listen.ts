import { createServer, type RequestListener, type Server } from "node:http";
import { apiLimits } from "@weir/base";
import { parseAddress, printAddress, toListenError } from "@weir/flux/serving";
import { limitConnections } from "./connections.ts";

/** A running listener. */
export interface Listening {
  /** The host and port that it listens on, e.g. "127.0.0.1:3030". */
  readonly address: string;
  /** Closes open connections and stops. */
  stop(): Promise<void>;
}

/** Limits for the clients of a listener. */
export interface ListenLimits {
  /** The time limit for sending a request, in milliseconds. */
  readonly requestTimeout: number;
  /** In bytes. */
  readonly maxHeaderSize: number;
  /** The time limit for sending the headers. */
  readonly headersTimeout: number;
  /** After how long an idle connection is closed, in milliseconds; 0 for never. */
  readonly idleTimeout: number;
  /** The maximum number of connections; beyond it, idle connections are closed for new ones. */
  readonly maxConnections: number;
}

const usualLimits: ListenLimits = {
  requestTimeout: 30_000,
  headersTimeout: 30_000,
  // As in Go's net/http, which Flux v1 uses. With a limit, a connection can close just as its client sends a request.
  idleTimeout: 0,
  maxHeaderSize: apiLimits.headers,
  maxConnections: apiLimits.connections,
};

/** How peers that are gone without a word are noticed; as in Go. */
const deadPeers = { keepAlive: true, keepAliveInitialDelay: 15_000 };

/** Listens on "host:port" (":3030" means all interfaces). Rejects with ListenError. */
export async function listen(
  app: RequestListener,
  address: string,
  { requestTimeout, headersTimeout, idleTimeout, maxHeaderSize, maxConnections }: ListenLimits = usualLimits,
): Promise<Listening> {
  const { host, port } = parseAddress(address);
  const times = {
    requestTimeout,
    headersTimeout,
    keepAliveTimeout: idleTimeout,
    connectionsCheckingInterval: headersTimeout / 2,
  };
  const server = createServer({ ...times, ...deadPeers, maxHeaderSize }, app);
  limitConnections(server, maxConnections);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(toListenError(address, error)));
    server.listen({ port, ...(host === "" ? {} : { host }) }, resolve);
  });
  // A connection that can't be accepted because there are no file descriptors left; the next one may work, so
  // the server continues.
  server.on("error", () => undefined);
  return { address: printAddress(server.address()), stop: () => stop(server) };
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

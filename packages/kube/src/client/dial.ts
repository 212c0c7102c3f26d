import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { type Clock, Deadline, orAborted, toError } from "@weir/base";
import type { ClusterCredentials } from "../rest/credentials.ts";
import { ConnectionError } from "../rest/transport.ts";
import { openTunnel } from "./proxy.ts";
import { hostOf, portOf, ready } from "./socket.ts";

/** The time limit for establishing a connection, including TLS. */
const connectTimeoutMs = 30_000;
/** TCP keep-alive as in Go's net/http, so that connections dropped by a firewall are detected. */
const keepAliveMs = 30_000;

/** A connection, and the protocol that both sides agreed on. */
export interface Dialed {
  readonly socket: Socket;
  readonly protocol: "h2" | "http/1.1";
}

/**
 * Connects to the server of `credentials`, through its proxy if it has one. Rejects with ConnectionError,
 * with KubeConfigError if a credential can't be obtained, or with the signal's reason.
 */
export async function dial(
  credentials: ClusterCredentials,
  protocols: readonly Dialed["protocol"][],
  clock: Clock,
  signal?: AbortSignal,
): Promise<Dialed> {
  const url = new URL(credentials.server);
  using limit = new Deadline(clock, connectTimeoutMs, signal);
  const ends = limit.signal;
  const tls = url.protocol === "https:" ? await orAborted(credentials.tls(ends), ends) : undefined;
  try {
    const socket = await rawSocket(url, credentials.proxyUrl, ends);
    socket.setNoDelay(true).setKeepAlive(true, keepAliveMs);
    if (tls === undefined) {
      return { socket, protocol: "http/1.1" };
    }
    // An IP address is checked against the certificate as `host`; TLS doesn't allow it as a server name.
    const host = tls.servername ?? hostOf(url);
    const name = isIP(host) === 0 ? { servername: host } : {};
    const secured = connectTls({ ...tls, ...name, host, socket, ALPNProtocols: [...protocols] });
    await ready(secured, "secureConnect", ends);
    return { socket: secured, protocol: protocolOf(secured) };
  } catch (error) {
    if (signal?.aborted) {
      throw toError(signal.reason);
    }
    const what = limit.expired ? "the connection attempt timed out" : toError(error).message;
    throw new ConnectionError({ server: credentials.server, sent: false, reason: what }, { cause: error });
  }
}

async function rawSocket(url: URL, proxyUrl: string | undefined, signal: AbortSignal): Promise<Socket> {
  if (proxyUrl !== undefined) {
    return openTunnel(proxyUrl, hostOf(url), portOf(url), signal);
  }
  const socket = connectTcp({ host: hostOf(url), port: portOf(url) });
  await ready(socket, "connect", signal);
  return socket;
}

function protocolOf(socket: TLSSocket): Dialed["protocol"] {
  return socket.alpnProtocol === "h2" ? "h2" : "http/1.1";
}

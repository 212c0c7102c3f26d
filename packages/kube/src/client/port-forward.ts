import { createServer, type Server, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import { corePath } from "../api-resource.ts";
import { KubeApiError } from "../api-status.ts";
import type { ClusterCredentials } from "../rest/credentials.ts";
import { ConnectionError } from "../rest/transport.ts";
import { dataMessage, PortMessages } from "./port-channels.ts";
import { openWebSocket } from "./websocket.ts";

/** The pod and port to forward to. */
export interface PortForwardOptions {
  readonly credentials: ClusterCredentials;
  readonly userAgent?: string;
  readonly namespace: string;
  readonly pod: string;
  readonly port: number;
  /** Stops forwarding. */
  readonly signal?: AbortSignal;
  /** Called with the reason why a connection failed, e.g. because nothing listens on the pod's port. */
  readonly onError?: (error: Error) => void;
}

/** A local port that forwards to a pod. */
export interface PortForward extends AsyncDisposable {
  readonly localPort: number;
  /** Stops forwarding and closes all connections. */
  close(): Promise<void>;
}

/** The cluster couldn't connect to the pod's port, or lost the connection. */
export class PortForwardError extends Error {
  override readonly name = "PortForwardError";
}

/**
 * Listens on a free loopback port and forwards each connection to a port of a pod, through the API server
 * over websockets. Before it listens, it checks that the server allows this; rejects with KubeApiError if the
 * server refuses.
 */
export async function portForward(options: PortForwardOptions): Promise<PortForward> {
  const forwarder = new Forwarder(options);
  await forwarder.open();
  return forwarder;
}

class Forwarder implements PortForward {
  readonly #options: PortForwardOptions;
  readonly #server: Server;
  readonly #ending = new AbortController();
  readonly #connections = new Set<Promise<void>>();
  /** The channel that was opened as a check; the first connection uses it. */
  #spare: Duplex | undefined;

  constructor(options: PortForwardOptions) {
    this.#options = options;
    // A client may end its side and still wait for the response.
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#accept(socket));
  }

  get localPort(): number {
    const address = this.#server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  async open(): Promise<void> {
    const { signal } = this.#options;
    signal?.throwIfAborted();
    const spare = await this.#openChannel();
    // If the pod closes it before it's used, it's discarded without an error.
    spare.once("error", () => undefined).once("close", () => (this.#spare = undefined));
    this.#spare = spare;
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject).listen(0, "127.0.0.1", resolve);
    });
    signal?.addEventListener("abort", () => void this.close(), { once: true });
  }

  async close(): Promise<void> {
    this.#ending.abort();
    this.#spare?.destroy();
    const closed = new Promise((resolve) => this.#server.close(resolve));
    await Promise.all([closed, ...this.#connections]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #accept(socket: Socket): void {
    const connection = this.#connect(socket)
      .catch((error: unknown) => {
        if (!this.#ending.signal.aborted && isFaultOfCluster(error)) {
          this.#options.onError?.(error);
        }
      })
      .finally(() => {
        socket.destroy();
        this.#connections.delete(connection);
      });
    this.#connections.add(connection);
  }

  /** Resolves when both sides are finished. */
  async #connect(socket: Socket): Promise<void> {
    const channel = await this.#takeChannel();
    const { signal } = this.#ending;
    try {
      await Promise.all([
        pipeline(socket, toMessages, channel, { signal, end: false }),
        pipeline(channel, fromMessages, socket, { signal }),
      ]);
    } finally {
      channel.destroy();
    }
  }

  async #takeChannel(): Promise<Duplex> {
    const spare = this.#spare;
    this.#spare = undefined;
    return spare ?? this.#openChannel();
  }

  #openChannel(): Promise<Duplex> {
    const { credentials, userAgent = "weir", namespace, pod, port } = this.#options;
    const path = `${corePath(namespace, "pods", pod)}/portforward`;
    return openWebSocket(credentials, {
      target: `${path}?ports=${port}`,
      protocol: "v4.channel.k8s.io",
      headers: { "User-Agent": userAgent },
      signal: this.#ending.signal,
    });
  }
}

/** False for errors that a client causes on its own connection. */
function isFaultOfCluster(error: unknown): error is Error {
  return [PortForwardError, KubeApiError, ConnectionError].some((fault) => error instanceof fault);
}

async function* toMessages(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  for await (const chunk of chunks) {
    yield dataMessage(chunk);
  }
}

async function* fromMessages(messages: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  const reader = new PortMessages();
  for await (const message of messages) {
    const said = reader.read(message);
    if (said?.kind === "error") {
      throw new PortForwardError(said.message);
    }
    if (said !== undefined) {
      yield said.bytes;
    }
  }
}

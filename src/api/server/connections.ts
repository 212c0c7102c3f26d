/**
 * Keeps a listener available when the maximum number of clients is connected: a connection that is idle is
 * closed for a new one. A connection with a request in progress is never closed.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** An open connection, as far as this decision needs it. */
export interface OpenConnection {
  readonly address: string;
  /**
   * True while the server waits for the client: to send a request or the rest of one, or to read a response.
   */
  readonly isWaiting: boolean;
}

/**
 * Selects the connection to close for a new one. `connections` are sorted by last activity, oldest first. The
 * result is the longest-waiting connection of the address with the most waiting connections, so that whoever
 * opens many connections loses their own. Undefined if no connection is waiting.
 */
export function toGiveUp<Each extends OpenConnection>(connections: readonly Each[]): Each | undefined {
  const waiting = connections.filter(({ isWaiting }) => isWaiting);
  const byAddress = Map.groupBy(waiting, ({ address }) => address);
  const [most = []] = [...byAddress.values()].sort((a, b) => b.length - a.length);
  return most[0];
}

/** Limits the number of connections of a server to `most`. */
export function limitConnections(server: Server, most: number): void {
  const open = new Set<Connection>();
  const bySocket = new WeakMap<Socket, Connection>();
  server.on("connection", (socket: Socket) => {
    const given = open.size < most ? undefined : toGiveUp([...open]);
    if (given === undefined && open.size >= most) {
      socket.destroy();
      return;
    }
    given?.giveUp();
    bySocket.set(socket, new Connection(socket, open));
  });
  server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    bySocket.get(request.socket)?.begin(request, response);
  });
}

class Connection implements OpenConnection {
  readonly address: string;
  readonly #socket: Socket;
  readonly #open: Set<Connection>;
  /** More than one if a client sends requests before the response to the first. */
  readonly #exchanges = new Map<ServerResponse, IncomingMessage>();

  /** Adds itself to the open connections until it ends. */
  constructor(socket: Socket, open: Set<Connection>) {
    this.address = socket.remoteAddress ?? "";
    this.#socket = socket;
    this.#open = open;
    open.add(this);
    socket.once("close", () => open.delete(this));
  }

  get isWaiting(): boolean {
    return [...this.#exchanges].every(([response, request]) => response.writableEnded || !request.complete);
  }

  begin(request: IncomingMessage, response: ServerResponse): void {
    this.#exchanges.set(response, request);
    this.#happened();
    response.once("close", () => {
      this.#exchanges.delete(response);
      this.#happened();
    });
  }

  giveUp(): void {
    this.#open.delete(this);
    this.#socket.destroy();
  }

  /** Moves to the end: the last connection is the most recently active one. */
  #happened(): void {
    if (this.#open.delete(this)) {
      this.#open.add(this);
    }
  }
}

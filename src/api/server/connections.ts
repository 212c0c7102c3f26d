/**
 * Keeps a listener open to those who have something to ask: where as many are connected as there may be, one that
 * keeps us waiting is given up for the one that comes. What is being worked on is never given up.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** An open connection, as it is judged. */
export interface OpenConnection {
  readonly address: string;
  /** True while nothing is worked on: for a request, for the rest of one, or until somebody reads an answer. */
  readonly isWaiting: boolean;
}

/**
 * Which of the connections to give up for another; the one on which nothing has happened for longest is given first.
 * It is of the address that keeps us waiting on most of them, so that who opens many takes them from himself, and
 * the one that has kept us waiting for longest. Undefined where none does.
 */
export function toGiveUp<Each extends OpenConnection>(connections: readonly Each[]): Each | undefined {
  const waiting = connections.filter(({ isWaiting }) => isWaiting);
  const byAddress = Map.groupBy(waiting, ({ address }) => address);
  const [most = []] = [...byAddress.values()].sort((a, b) => b.length - a.length);
  return most[0];
}

/** Lets no more than `most` be connected to a server. */
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
  /** More than one where requests are sent before the answer to the first. */
  readonly #exchanges = new Map<ServerResponse, IncomingMessage>();

  /** Is among the open ones until it ends. */
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

  /** The last one is the one on which something happened last. */
  #happened(): void {
    if (this.#open.delete(this)) {
      this.#open.add(this);
    }
  }
}

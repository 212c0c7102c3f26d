/** The HTTPS server: who may ask, and how requests and answers travel. Speaks HTTP/2 and HTTP/1.1. */
import { once } from "node:events";
import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import { isSameSecret, type Logger, messageOf } from "@weir/base";
import { KubeApiError } from "@weir/kube";
import type { Answer } from "../api/answer.ts";
import { statusAnswer } from "../api/api.ts";
import type { ApiRequest } from "../api/request.ts";
import { unauthorizedError } from "../status-errors.ts";
import { isTree, numberAt } from "../tree.ts";
import type { Certificate } from "./certificate.ts";
import { type HttpRequest, headerOf, readRequest } from "./read-request.ts";
import { type HttpResponse, writeAnswer } from "./write-answer.ts";

/** What a listener is made with. */
export interface ListenerOptions {
  /** 0 for any free port. */
  readonly port: number;
  readonly token: string;
  readonly certificate: Certificate;
  readonly logger: Logger;
  readonly handle: (request: Omit<ApiRequest, "readProtobuf">) => Promise<Answer>;
}

/** A server that listens. */
export interface Listener {
  readonly port: number;
  /** Ends all connections, watches too; resolves when the last is gone. */
  close(): Promise<void>;
}

/** Paths that say nothing of the cluster need no token; a wrong one is refused there too. */
const open = new Set(["/healthz", "/livez", "/readyz", "/version"]);

/** Listens on the loopback only. Rejects where the port is taken. */
export async function listen(options: ListenerOptions): Promise<Listener> {
  const stopping = new AbortController();
  const server = createSecureServer(
    {
      allowHTTP1: true,
      cert: options.certificate.certificate,
      key: options.certificate.key,
      settings: { maxConcurrentStreams: 250 },
    },
    (request, response) => {
      void serve(options, request, response, stopping.signal);
    },
  );
  const connections = trackConnections(server, options.logger);
  // Watches are quiet for long; a client that went away is noticed by its closed socket.
  server.setTimeout(0);
  server.listen(options.port, "127.0.0.1");
  await once(server, "listening");
  return {
    port: portOf(server),
    async close() {
      stopping.abort();
      const closed = once(server, "close");
      server.close();
      connections.close();
      await closed;
    },
  };
}

async function serve(
  options: ListenerOptions,
  request: HttpRequest,
  response: HttpResponse,
  stopping: AbortSignal,
): Promise<void> {
  const gone = new AbortController();
  const signal = AbortSignal.any([gone.signal, stopping]);
  response.on("close", () => gone.abort());
  response.on("error", () => gone.abort());
  try {
    const answer = await answerTo(options, request);
    await writeAnswer(response, answer, signal, request.method === "HEAD");
  } catch (error) {
    // The client went away, or sent less than it announced.
    options.logger.log({ err: messageOf(error), path: request.url ?? "" });
    response.destroy();
  }
}

async function answerTo(options: ListenerOptions, request: HttpRequest): Promise<Answer> {
  try {
    requireToken(request, options.token);
    return await options.handle(await readRequest(request));
  } catch (error) {
    if (error instanceof KubeApiError) {
      return statusAnswer(error);
    }
    throw error;
  }
}

function requireToken(request: HttpRequest, token: string): void {
  const [path = ""] = (request.url ?? "").split("?");
  const authorization = headerOf(request, "authorization");
  const [, given = ""] = /^Bearer\s+(\S+)$/i.exec(authorization) ?? [];
  const isAnonymous = authorization === "" && open.has(path);
  if (!isAnonymous && !isSameSecret(given, token)) {
    throw unauthorizedError();
  }
}

function portOf(server: Http2SecureServer): number {
  const address: unknown = server.address();
  return isTree(address) ? (numberAt(address, "port") ?? 0) : 0;
}

/** Connections of either kind, to be ended with the server. */
function trackConnections(server: Http2SecureServer, logger: Logger): { close(): void } {
  const sessions = new Set<ServerHttp2Session>();
  const sockets = new Set<Socket>();
  server.on("session", (session) => {
    sessions.add(session);
    session.on("close", () => sessions.delete(session));
    session.on("error", (error: unknown) => logger.log({ err: messageOf(error) }));
  });
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  // A client that does not trust the certificate, or speaks no TLS, is no concern of ours.
  server.on("tlsClientError", () => {});
  return {
    close() {
      for (const session of sessions) {
        session.destroy();
      }
      for (const socket of sockets) {
        socket.destroy();
      }
    },
  };
}

import type { IncomingMessage, ServerResponse } from "node:http";
import { answer, type HttpServer, serve } from "@weir/testing";

/** A request with its whole body. */
export interface WebRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** What a server says; "silence" for nothing at all, ever. */
export type Reply =
  | { readonly status: number; readonly body: object; readonly headers?: Record<string, string> }
  | { readonly status: number; readonly text: string }
  | "silence";

/** Serves whole requests. Before `reply` is asked, the replies in `faults` are given, each once. */
export async function serveReplies(
  reply: (request: WebRequest) => Reply,
  faults: Reply[] = [],
  tls?: Parameters<typeof serve>[1],
): Promise<HttpServer> {
  return serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const whole = {
        method: request.method ?? "",
        url: new URL(request.url ?? "", `http://${request.headers.host ?? ""}`),
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      send(faults.shift() ?? reply(whole), response);
    });
  }, tls);
}

function send(reply: Reply, response: ServerResponse): void {
  if (reply === "silence") {
    return;
  }
  if ("text" in reply) {
    response.writeHead(reply.status).end(reply.text);
    return;
  }
  answer(response, reply);
}

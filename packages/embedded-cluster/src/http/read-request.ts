import type { IncomingMessage } from "node:http";
import type { Http2ServerRequest } from "node:http2";
import type { ApiRequest } from "../api/request.ts";
import { tooLargeError } from "../status-errors.ts";

/** A request over either version of HTTP. */
export type HttpRequest = IncomingMessage | Http2ServerRequest;

/** As much as the API server reads of a body. */
export const maxBodyBytes = 3 * 1024 * 1024;

/** Reads a request to its end. Throws KubeApiError (413) as soon as the body is too large. */
export async function readRequest(request: HttpRequest): Promise<Omit<ApiRequest, "readProtobuf">> {
  const url = request.url ?? "/";
  const question = url.indexOf("?");
  return {
    method: request.method ?? "GET",
    path: question < 0 ? url : url.slice(0, question),
    query: new URLSearchParams(question < 0 ? "" : url.slice(question + 1)),
    headers: {
      accept: headerOf(request, "accept"),
      contentType: headerOf(request, "content-type"),
      userAgent: headerOf(request, "user-agent"),
    },
    body: await readBody(request),
  };
}

/** A header, "" where it is absent. */
export function headerOf(request: HttpRequest, name: string): string {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(",") : (value ?? "");
}

async function readBody(request: HttpRequest): Promise<Uint8Array> {
  if (Number(headerOf(request, "content-length")) > maxBodyBytes) {
    throw tooLarge();
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size > maxBodyBytes) {
      throw tooLarge();
    }
    chunks.push(bytes);
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}

function tooLarge(): Error {
  return tooLargeError(`limit is ${maxBodyBytes}`);
}

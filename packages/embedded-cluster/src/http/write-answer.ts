import type { ServerResponse } from "node:http";
import type { Http2ServerResponse } from "node:http2";
import type { Answer, ChunkSink, StreamAnswer, WholeAnswer } from "../api/answer.ts";

/** A response over either version of HTTP. */
export type HttpResponse = ServerResponse | Http2ServerResponse;

/** Sends an answer to its end; a stream ends when its signal is aborted. */
export async function writeAnswer(
  response: HttpResponse,
  answer: Answer,
  signal: AbortSignal,
  headOnly: boolean,
): Promise<void> {
  if (answer.kind === "whole") {
    await writeWhole(response, answer, headOnly);
  } else {
    await writeStream(response, answer, signal);
  }
}

async function writeWhole(response: HttpResponse, answer: WholeAnswer, headOnly: boolean): Promise<void> {
  const length = answer.chunks.reduce(
    (sum, chunk) => sum + (typeof chunk === "string" ? Buffer.byteLength(chunk) : chunk.length),
    0,
  );
  setHeaders(response, answer);
  response.setHeader("content-length", length);
  response.statusCode = answer.code;
  const sink = sinkTo(response);
  // A huge list goes out in portions: a slow client does not make the whole of it wait in memory twice.
  for (const batch of headOnly ? [] : batches(answer.chunks)) {
    if (!sink.write(...batch)) {
      await sink.drained();
    }
  }
  end(response);
}

async function writeStream(response: HttpResponse, answer: StreamAnswer, signal: AbortSignal): Promise<void> {
  setHeaders(response, answer);
  // A watch may have nothing to say for long: its client waits for the headers.
  if ("stream" in response) {
    response.writeHead(200);
  } else {
    response.writeHead(200);
    response.flushHeaders();
  }
  await answer.run(sinkTo(response), signal);
  end(response);
}

const batchChunks = 256;

function* batches<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += batchChunks) {
    yield items.slice(at, at + batchChunks);
  }
}

function setHeaders(response: HttpResponse, { contentType, headers = {} }: Answer): void {
  response.setHeader("content-type", contentType);
  response.setHeader("cache-control", "no-cache, private");
  for (const [name, value] of Object.entries(headers)) {
    response.setHeader(name, typeof value === "string" ? value : [...value]);
  }
}

/** Writes that belong together are sent together. */
function sinkTo(response: HttpResponse): ChunkSink {
  return {
    write: (...chunks) => {
      if (response.destroyed) {
        return true;
      }
      const whole = Buffer.concat(
        chunks.map((chunk) => (typeof chunk === "string" ? Buffer.from(chunk) : chunk)),
      );
      return write(response, whole);
    },
    drained: () =>
      new Promise((resolve) => {
        if (response.destroyed) {
          resolve();
          return;
        }
        const done = (): void => {
          response.off("drain", done);
          response.off("close", done);
          resolve();
        };
        response.on("drain", done);
        response.on("close", done);
      }),
  };
}

/** The two kinds of response agree in all but their overloads. */
function end(response: HttpResponse): void {
  if ("stream" in response) {
    response.end();
  } else {
    response.end();
  }
}

function write(response: HttpResponse, bytes: Uint8Array): boolean {
  return "stream" in response ? response.write(bytes) : response.write(bytes);
}

import type { IncomingMessage } from "node:http";
import { Problem } from "../problem/problem.ts";

/** The largest body that a request may have, in bytes. */
const mostBytes = 1024 * 1024;

/** Reads a body of JSON. Rejects with a Problem if it's too large, isn't declared as JSON, or isn't JSON. */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const type = request.headers["content-type"] ?? "";
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw new Problem("invalid", "The body isn't declared as JSON.", {
      remedy: "Send it with `Content-Type: application/json`.",
    });
  }
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > mostBytes) {
      throw new Problem("invalid", `The body has more than ${mostBytes} bytes.`, {
        remedy: "Send less at a time.",
      });
    }
    pieces.push(piece);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString("utf8")) as unknown;
  } catch (cause) {
    throw new Problem("invalid", "The body isn't JSON.", { remedy: "Send a JSON document.", cause });
  }
}

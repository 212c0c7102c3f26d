import express, { type Request, type Response } from "express";
import { Problem } from "../problem/problem.ts";

/** The largest body that a request may have, in bytes. */
const mostBytes = 1024 * 1024;

const readText = express.text({ type: () => true, limit: mostBytes, inflate: false });

/** Reads a body of JSON. Rejects with a Problem if it's too large, isn't declared as JSON, or isn't JSON. */
export async function readJsonBody(request: Request, response: Response): Promise<unknown> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers["content-type"] ?? "")) {
    throw new Problem("invalid", "The body isn't declared as JSON.", {
      advice: "Send it with `Content-Type: application/json`.",
    });
  }
  try {
    await new Promise<void>((resolve, reject) => {
      readText(request, response, (error?: Error) => (error === undefined ? resolve() : reject(error)));
    });
    return JSON.parse(request.body as string) as unknown;
  } catch (cause) {
    if (cause instanceof Error && "type" in cause && cause.type === "entity.too.large") {
      throw new Problem("invalid", `The body has more than ${mostBytes} bytes.`, {
        advice: "Send less at a time.",
      });
    }
    throw new Problem("invalid", "The body isn't JSON.", { advice: "Send a JSON document.", cause });
  }
}

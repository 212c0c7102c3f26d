import { Agent, request as start } from "node:https";
import type { Request } from "./request.ts";

/** Where a cluster listens. */
export interface Dial {
  readonly url: string;
  readonly token: string;
}

/** What a cluster answered, whole. */
export interface Answer {
  readonly status: number;
  /** Those that clients look at. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed where it is JSON; a list where it is a stream of more than one document. */
  readonly body: unknown;
}

const telling = ["content-type", "warning", "retry-after", "allow", "location", "www-authenticate"];
const agent = new Agent({ rejectUnauthorized: false, keepAlive: true });

/** Sends a request by Node's own client, and reads the answer to its end. */
export function ask({ url, token }: Dial, { method, path, headers, body }: Request): Promise<Answer> {
  const all = {
    "user-agent": "asker/1.0",
    authorization: `Bearer ${token}`,
    ...headers,
    // Node sends the body of a DELETE without it, which no server can read.
    ...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = start(url + path, { method, headers: all, agent }, (incoming) => {
      let text = "";
      incoming.setEncoding("utf8");
      incoming.on("data", (chunk: string) => (text += chunk));
      incoming.on("error", reject);
      incoming.on("end", () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: Object.fromEntries(
            telling.flatMap((name) => {
              const value = incoming.headers[name];
              return value === undefined ? [] : [[name, String(value)]];
            }),
          ),
          body: bodyOf(incoming.headers["content-type"] ?? "", text),
        }),
      );
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

function bodyOf(type: string, text: string): unknown {
  if (!type.startsWith("application/json") || text === "") {
    return text;
  }
  try {
    return JSON.parse(text);
  } catch {
    const lines = text.trim().split("\n");
    return lines.map((line): unknown => JSON.parse(line));
  }
}

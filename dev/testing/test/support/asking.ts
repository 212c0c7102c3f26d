import { connect, constants } from "node:http2";
import { request as send } from "node:https";

/** What a client sees of a response. */
export class Asking {
  readonly #over = Promise.withResolvers<string>();
  #status = 0;
  #seen = "";

  /** All that it has seen so far. */
  get seen(): string {
    return this.#seen;
  }

  /** All that it has seen in the end, and how it ended. */
  get over(): Promise<string> {
    return this.#over.promise;
  }

  head(status: number, retryAfter: string | undefined): void {
    this.#status = status;
    const wait = retryAfter === undefined ? "" : ` after ${retryAfter}`;
    this.#seen = status === 200 ? "200 " : `${status}${wait}`;
  }

  body(chunk: unknown): void {
    this.#seen += this.#status === 200 ? String(chunk).replaceAll("\n", "") : "";
  }

  end(how: "breaks" | "ends"): void {
    this.#over.resolve([this.#seen, how].filter((word) => word !== "").join(", "));
  }
}

/** Sends a GET to a server with any certificate. */
export function askOverHttp1(url: string, target: string): Asking {
  const asking = new Asking();
  const outgoing = send(`${url}${target}`, { rejectUnauthorized: false, agent: false });
  outgoing.on("error", () => asking.end("breaks"));
  outgoing.on("response", (incoming) => {
    asking.head(incoming.statusCode ?? 0, incoming.headers["retry-after"]);
    incoming.on("data", (chunk) => asking.body(chunk));
    incoming.on("error", () => asking.end("breaks"));
    incoming.on("end", () => asking.end("ends"));
  });
  outgoing.end();
  return asking;
}

/** Sends a GET to a server with any certificate. */
export function askOverHttp2(url: string, target: string): Asking {
  const asking = new Asking();
  const session = connect(url, { rejectUnauthorized: false });
  const stream = session.request({ ":path": target });
  session.on("error", () => undefined);
  stream.on("error", () => undefined);
  stream.on("response", (head) => asking.head(head[":status"] ?? 0, head["retry-after"]));
  stream.on("data", (chunk) => asking.body(chunk));
  // A stream also ends if its connection is lost; only its code tells.
  stream.on("close", () => {
    asking.end(stream.rstCode === constants.NGHTTP2_NO_ERROR ? "ends" : "breaks");
    session.destroy();
  });
  return asking;
}

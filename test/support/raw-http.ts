import { type IncomingHttpHeaders, request } from "node:http";

/** A request as it goes over the wire; fetch would tidy the path up. */
export interface RawRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** An answer, read to its end. */
export interface RawAnswer {
  readonly status: number;
  /** The media type, "" where there is none. */
  readonly type: string;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}

/** Sends one request over a connection of its own to "host:port". */
export function ask(
  address: string,
  { method = "GET", path, headers = {}, body }: RawRequest,
): Promise<RawAnswer> {
  const [, host = "", port = ""] = /^(.*):(\d+)$/.exec(address) ?? [];
  return new Promise((resolve, reject) => {
    const outgoing = request({ host, port, method, path, headers, agent: false }, (incoming) => {
      let text = "";
      incoming.setEncoding("utf8");
      incoming.on("data", (chunk: string) => (text += chunk));
      incoming.on("error", reject);
      incoming.on("end", () =>
        resolve({
          status: incoming.statusCode ?? 0,
          type: incoming.headers["content-type"] ?? "",
          body: text,
          headers: incoming.headers,
        }),
      );
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

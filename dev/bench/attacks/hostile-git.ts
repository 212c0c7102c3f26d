import { spawn } from "node:child_process";
import type { IncomingMessage, ServerResponse } from "node:http";
import { gunzipSync } from "node:zlib";
import { type HttpServer, serve } from "@weir/testing";
import { type StreamEnd, writeEndlessly } from "./endless.ts";

/** The credentials that the server requires; attacks search for the password where it must not appear. */
export const gitPassword = "canary-3f9d-password";

/** Serves smart HTTP through git's own program, until it's told to do something else. */
export class HostileGit implements AsyncDisposable {
  readonly #root: string;
  #server: HttpServer | undefined;
  #fetches = 0;
  #flood: ((end: StreamEnd) => void) | undefined;
  #delay: Promise<unknown> = Promise.resolve();

  private constructor(root: string) {
    this.#root = root;
  }

  /** Serves the repositories of a folder. */
  static async start(root: string): Promise<HostileGit> {
    const git = new HostileGit(root);
    git.#server = await serve((incoming, outgoing) => void git.#answer(incoming, outgoing));
    return git;
  }

  /** The URL of a repository, with user and password. */
  url(name: string): string {
    return `${(this.#server?.url ?? "").replace("//", `//canary:${gitPassword}@`)}/${name}`;
  }

  /** The number of fetches. */
  get fetches(): number {
    return this.#fetches;
  }

  /** Answers the next fetch with endless progress messages; resolves to the outcome. */
  floodNextFetch(): Promise<StreamEnd> {
    return new Promise((resolve) => {
      this.#flood = resolve;
    });
  }

  /** Delays all responses until the promise resolves. */
  delayUntil(done: Promise<unknown>): void {
    this.#delay = done;
  }

  async #answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      chunks.push(chunk);
    }
    await this.#delay;
    const sent = Buffer.concat(chunks);
    const body = incoming.headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent;
    const isFetch = incoming.method === "POST" && body.includes("want ");
    this.#fetches += isFetch ? 1 : 0;
    if (incoming.headers.authorization === undefined) {
      outgoing.writeHead(401, { "WWW-Authenticate": 'Basic realm="git"' }).end();
    } else if (this.#flood !== undefined && isFetch) {
      const told = this.#flood;
      this.#flood = undefined;
      outgoing.writeHead(200, { "Content-Type": "application/x-git-upload-pack-result" });
      agreed(body).forEach((line) => outgoing.write(packet(`${line}\n`)));
      const progress = packet(Buffer.concat([Buffer.of(2), Buffer.alloc(60_000, "progress\n")]));
      told(await writeEndlessly(outgoing, progress, 20));
    } else {
      passToGit(this.#root, incoming, body, outgoing);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
  }
}

/** The response of a protocol version 0 server before the pack, if it knows one of the client's commits. */
function agreed(body: Buffer): readonly string[] {
  const [, have] = /\bhave ([0-9a-f]{40})/.exec(body.toString("latin1")) ?? [];
  const isDone = body.includes("done\n");
  return have === undefined ? ["NAK"] : [...(isDone ? [] : [`ACK ${have} ready`, "NAK"]), `ACK ${have}`];
}

/** A packet of git's protocol. */
function packet(payload: string | Buffer): Buffer {
  const bytes = Buffer.from(payload);
  const length = (bytes.length + 4).toString(16).padStart(4, "0");
  return Buffer.concat([Buffer.from(length), bytes]);
}

/** Uses the CGI program that is part of git. */
function passToGit(root: string, incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse): void {
  const { pathname, search } = new URL(incoming.url ?? "/", "http://localhost");
  const child = spawn("git", ["http-backend"], {
    env: {
      PATH: process.env["PATH"],
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      GIT_PROTOCOL: String(incoming.headers["git-protocol"] ?? ""),
      REMOTE_USER: "canary",
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: incoming.method ?? "",
      CONTENT_TYPE: incoming.headers["content-type"] ?? "",
      CONTENT_LENGTH: String(body.length),
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.on("close", () => sendCgiAnswer(Buffer.concat(chunks), outgoing));
  child.stdin.on("error", () => undefined);
  child.stdin.end(body);
}

function sendCgiAnswer(answer: Buffer, outgoing: ServerResponse): void {
  const end = answer.indexOf("\r\n\r\n");
  const headers = answer
    .subarray(0, end)
    .toString("latin1")
    .split("\r\n")
    .map((line) => line.split(": ", 2) as [string, string]);
  const status = Number.parseInt(new Map(headers).get("Status") ?? "200", 10);
  outgoing.writeHead(status, Object.fromEntries(headers.filter(([name]) => name !== "Status")));
  outgoing.end(answer.subarray(end + 4));
}

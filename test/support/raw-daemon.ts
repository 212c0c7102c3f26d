import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { maskedFrame, opcodes, parseFrame } from "./raw-websocket.ts";

/** How Flux v1 cuts its messages, in bytes. */
const longestFrame = 4096;

/** Answers a line that was asked over the connection, with the bytes of a line. */
export type RawAnswer = (line: string) => string;

/** What a daemon says of itself when it connects. */
export interface RawCaller {
  /** The address of the websocket, with `http:`. */
  readonly url: string;
  readonly token: string;
}

/**
 * A daemon that's connected by a socket of its own: it sends the bytes that Flux v1 sends, and nothing in it knows the
 * protocol.
 */
export class RawDaemon implements AsyncDisposable {
  /** What it was asked, a line each. */
  readonly asked: string[] = [];
  /** The first line of the answer to its handshake. */
  readonly status: string;
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
  readonly #socket: Socket;
  readonly #answer: RawAnswer;
  #bytes = Buffer.alloc(0);
  #message = "";

  private constructor(socket: Socket, { status, rest }: Handshake, answer: RawAnswer) {
    this.#socket = socket;
    this.status = status;
    this.#answer = answer;
    this.closed = new Promise((resolve) => socket.once("close", () => resolve()));
    this.#read(rest);
    socket.on("data", (data: Buffer) => this.#read(data));
  }

  /** Connects, and resolves when the handshake has been answered, also where it was refused. */
  static async connect(caller: RawCaller, answer: RawAnswer): Promise<RawDaemon> {
    const { hostname, port } = new URL(caller.url);
    const socket = connect(Number(port), hostname);
    socket.on("error", () => undefined);
    socket.write(handshake(caller));
    return new RawDaemon(socket, await answerTo(socket), answer);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.destroy();
    await this.closed;
  }

  #read(data: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, data]);
    for (let parsed = parseFrame(this.#bytes); parsed !== undefined; parsed = parseFrame(this.#bytes)) {
      this.#bytes = this.#bytes.subarray(parsed.length);
      const { opcode, payload } = parsed.frame;
      if (opcode === opcodes.ping) {
        this.#socket.write(maskedFrame(opcodes.pong, payload));
      } else if (opcode === opcodes.close) {
        this.#socket.end(maskedFrame(opcodes.close, payload));
      } else if (opcode === opcodes.binary || opcode === opcodes.more) {
        this.#take(payload.toString("utf8"));
      }
    }
  }

  /** Messages are parts of one stream, in which each request is a line. */
  #take(text: string): void {
    const lines = (this.#message + text).split("\n");
    this.#message = lines.pop() ?? "";
    for (const line of lines) {
      this.asked.push(line);
      this.#send(Buffer.from(this.#answer(line)));
    }
  }

  #send(message: Buffer): void {
    for (let start = 0; start < message.length; start += longestFrame) {
      const part = message.subarray(start, start + longestFrame);
      const isFinal = start + longestFrame >= message.length;
      this.#socket.write(maskedFrame(start === 0 ? opcodes.binary : opcodes.more, part, isFinal));
    }
  }
}

function handshake({ url, token }: RawCaller): string {
  const { host, pathname } = new URL(url);
  return [
    `GET ${pathname} HTTP/1.1`,
    `Host: ${host}`,
    "User-Agent: fluxd/1.25.4",
    `Authorization: Scope-Probe token=${token}`,
    "Connection: Upgrade",
    `Sec-WebSocket-Key: ${randomBytes(16).toString("base64")}`,
    "Sec-WebSocket-Version: 13",
    "Upgrade: websocket",
    "\r\n",
  ].join("\r\n");
}

interface Handshake {
  readonly status: string;
  /** What came after the head of the answer. */
  readonly rest: Buffer;
}

function answerTo(socket: Socket): Promise<Handshake> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    const gone = (): void => reject(new Error("the console closed the connection before it answered"));
    const read = (data: Buffer): void => {
      bytes = Buffer.concat([bytes, data]);
      const end = bytes.indexOf("\r\n\r\n");
      if (end !== -1) {
        socket.off("data", read).off("close", gone);
        const [status = ""] = bytes.toString("latin1").split("\r\n", 1);
        resolve({ status, rest: bytes.subarray(end + 4) });
      }
    };
    socket.on("data", read).once("close", gone);
  });
}

import { createHash, randomBytes } from "node:crypto";
import { createServer, type Server, type Socket } from "node:net";
import { until } from "@weir/testing";

/** What was sent in one frame, unmasked. */
export interface RawFrame {
  readonly opcode: number;
  readonly payload: Buffer;
}

/** Kinds of frames. */
export const opcodes = { more: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

const magic = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** A websocket server that a test plays byte by byte: it answers the handshake, takes events, and nothing more. */
export class RawWebSocketServer implements AsyncDisposable {
  readonly #server: Server;
  readonly #connections: RawConnection[] = [];
  #port = 0;

  private constructor() {
    this.#server = createServer((socket) => void this.#accept(socket));
  }

  static async start(): Promise<RawWebSocketServer> {
    const server = new RawWebSocketServer();
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    const address = server.#server.address();
    server.#port = typeof address === "object" && address !== null ? address.port : 0;
    return server;
  }

  get url(): string {
    return `ws://127.0.0.1:${this.#port}`;
  }

  /** The connection with this number, as soon as it has been made; the first is 0. */
  connection(index: number): Promise<RawConnection> {
    return until(`connection ${index}`, () => this.#connections[index]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { socket } of this.#connections) {
      socket.destroy();
    }
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #accept(socket: Socket): Promise<void> {
    socket.on("error", () => undefined);
    const request = await new Promise<string>((resolve) => {
      socket.once("data", (data: Buffer) => resolve(data.toString("latin1")));
    });
    if (!/^upgrade: websocket\r$/im.test(request)) {
      socket.end("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
      return;
    }
    const key = /^sec-websocket-key: (.*)\r$/im.exec(request)?.[1] ?? "";
    const accept = createHash("sha1")
      .update(key + magic)
      .digest("base64");
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    this.#connections.push(new RawConnection(socket, request));
  }
}

/** One connection after its handshake. */
export class RawConnection {
  readonly socket: Socket;
  /** The request of the handshake. */
  readonly request: string;
  readonly frames: RawFrame[] = [];
  #rest = Buffer.alloc(0);

  constructor(socket: Socket, request: string) {
    this.socket = socket;
    this.request = request;
    socket.on("data", (data: Buffer) => this.#read(data));
  }

  /** Sends one frame; `final` is false where the message goes on in the next. */
  send(opcode: number, payload: Uint8Array | string, final = true): void {
    this.socket.write(frame(opcode, Buffer.from(payload), final));
  }

  /** The bytes of all binary messages so far, as text. */
  get received(): string {
    const parts = this.frames.filter(({ opcode }) => opcode === opcodes.binary || opcode === opcodes.more);
    return Buffer.concat(parts.map(({ payload }) => payload)).toString("utf8");
  }

  /** Resolves to the answers when there are that many lines. */
  async answers(count: number): Promise<readonly string[]> {
    const lines = (): readonly string[] => this.received.split("\n").filter((line) => line !== "");
    await until(`${count} answers`, () => lines().length >= count).catch((error: unknown) => {
      throw new Error(`${String(error)}; there is:\n${this.received.slice(0, 2000)}`, { cause: error });
    });
    return lines();
  }

  /** Resolves to the code and the reason of the close frame when it has come. */
  async closeFrame(): Promise<{ readonly code: number; readonly reason: string }> {
    const { payload } = await until("a close frame", () =>
      this.frames.find(({ opcode }) => opcode === opcodes.close),
    );
    return { code: payload.readUInt16BE(0), reason: payload.toString("utf8", 2) };
  }

  #read(data: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, data]);
    for (let parsed = parseFrame(this.#rest); parsed !== undefined; parsed = parseFrame(this.#rest)) {
      this.frames.push(parsed.frame);
      this.#rest = this.#rest.subarray(parsed.length);
    }
  }
}

/** The bytes of an unmasked frame, as servers send them. */
export function frame(opcode: number, payload: Buffer, final = true): Buffer {
  return Buffer.concat([head({ opcode, length: payload.length, final }), payload]);
}

/** The bytes of a masked frame, as clients send them. */
export function maskedFrame(opcode: number, payload: Buffer, final = true): Buffer {
  const start = head({ opcode, length: payload.length, final });
  start[1] = (start[1] ?? 0) | 0x80;
  const mask = randomBytes(4);
  return Buffer.concat([start, mask, masked(payload, mask)]);
}

interface Head {
  readonly opcode: number;
  readonly length: number;
  readonly final: boolean;
}

function head({ opcode, length, final }: Head): Buffer {
  const first = (final ? 0x80 : 0) | opcode;
  if (length < 126) {
    return Buffer.of(first, length);
  }
  const header = Buffer.alloc(length < 65_536 ? 4 : 10);
  header[0] = first;
  if (length < 65_536) {
    header[1] = 126;
    header.writeUInt16BE(length, 2);
  } else {
    header[1] = 127;
    header.writeBigUInt64BE(BigInt(length), 2);
  }
  return header;
}

/** Masks or unmasks. */
function masked(payload: Buffer, mask: Buffer): Buffer {
  return Buffer.from(payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0)));
}

/** A frame from the beginning of `bytes`, masked or not; undefined while it is not whole. */
export function parseFrame(bytes: Buffer): { readonly frame: RawFrame; readonly length: number } | undefined {
  const second = bytes[1] ?? 0;
  const short = second & 0x7f;
  const maskBytes = (second & 0x80) === 0 ? 0 : 4;
  const header = 2 + (short === 126 ? 2 : short === 127 ? 8 : 0);
  if (bytes.length < header + maskBytes) {
    return undefined;
  }
  const size =
    short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
  const start = header + maskBytes;
  const end = start + size;
  if (bytes.length < end) {
    return undefined;
  }
  const sent = bytes.subarray(start, end);
  const payload = maskBytes === 0 ? Buffer.from(sent) : masked(sent, bytes.subarray(header, start));
  return { frame: { opcode: (bytes[0] ?? 0) & 0x0f, payload }, length: end };
}

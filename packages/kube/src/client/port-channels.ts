/** The channels of one forwarded port in v4.channel.k8s.io: what goes to and fro, and what went wrong. */
const dataChannel = 0;
const errorChannel = 1;

/** What the server says of a forwarded port. */
export type PortMessage =
  | { readonly kind: "data"; readonly bytes: Buffer }
  | { readonly kind: "error"; readonly message: string };

/** Bytes for the port as a message: one byte that names the channel, then the bytes. */
export function dataMessage(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.of(dataChannel), bytes]);
}

/** Reads the messages of one connection. The first one on each channel names the port and is no data. */
export class PortMessages {
  readonly #begun = new Set<number>();

  /** What a message says; undefined where it only begins a channel, or is of none that we know. */
  read(message: Buffer): PortMessage | undefined {
    const channel = message[0];
    if (channel !== dataChannel && channel !== errorChannel) {
      return undefined;
    }
    if (!this.#begun.has(channel)) {
      this.#begun.add(channel);
      return undefined;
    }
    const bytes = message.subarray(1);
    return channel === dataChannel
      ? { kind: "data", bytes }
      : { kind: "error", message: bytes.toString("utf8").trim() };
  }
}

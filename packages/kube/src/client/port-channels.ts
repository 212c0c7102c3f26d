/** The channels of a forwarded port in v4.channel.k8s.io: data in both directions, and errors. */
const dataChannel = 0;
const errorChannel = 1;

/** A message from the server about a forwarded port. */
export type PortMessage =
  | { readonly kind: "data"; readonly bytes: Buffer }
  | { readonly kind: "error"; readonly message: string };

/** Wraps bytes for the port in a message: one byte with the channel number, then the bytes. */
export function dataMessage(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.of(dataChannel), bytes]);
}

/**
 * Reads the messages of one connection. The first message on each channel contains the port number and no
 * data.
 */
export class PortMessages {
  readonly #begun = new Set<number>();

  /** Decodes a message; undefined if it only opens a channel, or if the channel is unknown. */
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

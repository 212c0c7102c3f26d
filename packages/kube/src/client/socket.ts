import type { Socket } from "node:net";
import { toError } from "@weir/base";

/** The port of a URL, the usual one where it names none. */
export function portOf(url: URL): number {
  return url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
}

/** The host of a URL, an IPv6 address without its brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}

/** Resolves at the event; rejects, and destroys the socket, at an error, an end or an abort before it. */
export function ready(
  socket: Socket,
  event: "connect" | "secureConnect",
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error): void => {
      signal.removeEventListener("abort", aborted);
      socket.off("error", settle).off("close", closed).off(event, done);
      if (error === undefined) {
        resolve();
      } else {
        // A socket may report more than one error; nobody listens to the next.
        socket.on("error", () => undefined).destroy();
        reject(error);
      }
    };
    const aborted = (): void => settle(toError(signal.reason));
    const closed = (): void => settle(new Error("the server closed the connection"));
    const done = (): void => settle();
    signal.addEventListener("abort", aborted, { once: true });
    socket.on("error", settle).on("close", closed).on(event, done);
    if (signal.aborted) {
      aborted();
    }
  });
}

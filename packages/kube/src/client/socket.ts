import type { Socket } from "node:net";
import { toError } from "@weir/base";

/** The port of a URL, or the default port of its scheme. */
export function portOf(url: URL): number {
  return url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
}

/** The host of a URL; an IPv6 address without brackets. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, "$1");
}

/** Resolves at the event; if an error, an end, or an abort comes first, rejects and destroys the socket. */
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
        // A socket can report more than one error; ignore the rest.
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

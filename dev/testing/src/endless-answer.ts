import type { ServerResponse } from "node:http";

/** Sends an endless response; when the client has disconnected, resolves to the number of bytes sent. */
export function answerForever(response: ServerResponse, status: number): Promise<number> {
  const chunk = Buffer.alloc(64 * 1024, "x");
  let sent = 0;
  const pump = (): void => {
    let isTaken = true;
    while (isTaken && !response.destroyed) {
      isTaken = response.write(chunk);
      sent += chunk.length;
    }
  };
  return new Promise((resolve) => {
    response.once("close", () => resolve(sent)).on("drain", pump);
    response.writeHead(status, { "Content-Type": "application/json" });
    pump();
  });
}

import { createServer } from "node:net";

/** How many ports to try. */
const most = 100;

/** The given port, or the next free one on the loopback interface. Rejects if a hundred ports are in use. */
export async function freePortFrom(first: number): Promise<number> {
  for (let port = first; port <= first + most; port += 1) {
    if (await isFree(port)) {
      return port;
    }
  }
  throw new Error(`no port between ${first} and ${first + most} is free on 127.0.0.1`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

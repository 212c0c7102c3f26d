import { createServer } from "node:net";

/** How many ports are tried. */
const most = 100;

/** That port, or the next one of the loopback interface that is free. Rejects where a hundred are taken. */
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

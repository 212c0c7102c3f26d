import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer, type ListenOptions } from "node:net";

/**
 * Where to look for ports: below those that Linux picks for outgoing connections and for servers on port 0 (from 32768),
 * and below the node ports of Kubernetes (from 30000).
 */
const [first, end] = [15_000, 30_000];

/**
 * A free port of the loopback interface, for a program that can't pick one itself. Nobody else gets it from here while
 * this process lives, so that it's still free when that program listens at last, and when it's started again.
 */
export async function freePort(): Promise<number> {
  const start = randomInt(first, end);
  for (let offset = 0; offset < end - first; offset += 1) {
    const port = first + ((start - first + offset) % (end - first));
    if ((await reserve(port)) && (await isFree(port))) {
      return port;
    }
  }
  throw new Error(`all ports from ${first} to ${end - 1} are in use`);
}

/** A socket with this name in Linux's abstract namespace is the reservation: it goes with the process, however that ends. */
function reserve(port: number): Promise<boolean> {
  return listen({ path: `\0weir-test-port-${port}` }, (server) => server.unref());
}

function isFree(port: number): Promise<boolean> {
  return listen({ host: "127.0.0.1", port }, (server) => once(server.close(), "close"));
}

/** Whether one can listen there; `then` is what becomes of the server that does. */
async function listen(
  where: ListenOptions,
  then: (server: ReturnType<typeof createServer>) => unknown,
): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(where), "listening");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") {
      return false;
    }
    throw error;
  }
  await then(server);
  return true;
}

import { createServer, type Server } from "node:net";

/** The ports of a control plane. */
export interface Ports {
  readonly client: number;
  readonly peer: number;
  readonly api: number;
  readonly manager: number;
}

/** Free ports; all of them are opened at the same time, so that they differ. */
export async function freePorts(): Promise<Ports> {
  const servers = [createServer(), createServer(), createServer(), createServer()];
  const [client = 0, peer = 0, api = 0, manager = 0] = await Promise.all(servers.map(listenAnywhere));
  await Promise.all(servers.map(close));
  return { client, peer, api, manager };
}

function listenAnywhere(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

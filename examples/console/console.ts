/**
 * A small console: accepts the daemons that connect with --connect and the token in CONSOLE_TOKEN, lists the workloads
 * of each, and prints its events. `node console.ts --port 8080`; port 0 is any free one.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parseArgs } from "node:util";
import { type Caller, type ConnectedDaemon, systemClock, UpstreamServer } from "@weir/upstream-server";

const { values: options } = parseArgs({ options: { port: { type: "string", default: "8080" } } });
const stop = new AbortController();
process.once("SIGINT", () => stop.abort()).once("SIGTERM", () => stop.abort());

const expected = process.env["CONSOLE_TOKEN"] ?? "";
if (expected === "") {
  console.error("Error: set CONSOLE_TOKEN to the token that daemons have to send");
  process.exit(2);
}

/** Compares hashes, so that the time it takes says nothing of the token. */
function admit({ token }: Caller): "welcome" | 401 {
  const [given, right] = [token, expected].map((text) => createHash("sha256").update(text).digest());
  return given !== undefined && right !== undefined && timingSafeEqual(given, right) ? "welcome" : 401;
}

async function greet({ api, caller, protocol, closed }: ConnectedDaemon): Promise<void> {
  try {
    console.log(
      `${caller.userAgent} connected, version ${protocol}; fluxd ${await api.version(stop.signal)}`,
    );
    for (const { id, status } of await api.listWorkloads({ namespace: "", workloads: [] }, stop.signal)) {
      console.log(`  ${id} ${status}`);
    }
  } catch (error) {
    console.error(error);
  }
  await closed;
  console.log(`${caller.userAgent} is gone`);
}

const upstream = new UpstreamServer({
  basePath: "/api/flux",
  clock: systemClock,
  admit,
  connected: (daemon) => void greet(daemon),
  event: ({ type, message }) => {
    console.log(`${type}: ${message}`);
    return Promise.resolve();
  },
});
const server = createServer();
upstream.attach(server);
server.listen(Number(options.port), "127.0.0.1");
await once(server, "listening");
console.log(`listening on port ${(server.address() as AddressInfo).port}`);
await once(stop.signal, "abort");
await upstream.close();
server.close();

/** A console without its web page: `node console-program.ts DATABASE_URL PORT`. */
import { createServer } from "node:http";
import { silentLogger, systemClock } from "@weir/base";
import { keepIdleConnections } from "@weir/testing";
import { DatabaseBus } from "../../src/bus/bus.ts";
import { Hub } from "../../src/daemons/hub.ts";
import { FluxApi } from "../../src/flux-api/flux-api.ts";
import { Database } from "../../src/store/database.ts";
import { newId } from "../../src/store/ids.ts";

const [url = "", port = "0"] = process.argv.slice(2);
const { signal } = new AbortController();
const log = silentLogger;
const database = await Database.open({ kind: "server", url }, { log, connections: 5 });
const bus = new DatabaseBus({ database, clock: systemClock, log });
const hub = new Hub({
  ...{ database, log, clock: systemClock, version: "test" },
  bus,
  consoleId: newId(systemClock.now()),
  intervals: { heartbeat: 500, silence: 3_000, search: 3_000 },
  admitJob: () => Promise.resolve({ isAdmitted: true, revision: "" }),
});
const api = new FluxApi({ hub, authorize: () => Promise.resolve(401) });
const server = createServer((request, response) => void api.handle(request, response));
keepIdleConnections(server);
server.on("upgrade", (request, socket, head) => void hub.handleUpgrade(request, socket, head));
server.listen(Number(port), "127.0.0.1");
await Promise.all([bus.run(signal), hub.run(signal)]);

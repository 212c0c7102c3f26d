import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { after, before, describe, it } from "node:test";
import { systemClock } from "@weir/base";
import type { ListenError } from "@weir/flux/serving";
import { until } from "@weir/testing";
import type { RequestHandler, Response } from "express";
import {
  type ListeningServer,
  listenForConsole,
  listenForMetrics,
} from "../../../src/program/http-server.ts";
import { type ConsoleMetrics, openConsoleMetrics } from "../../../src/program/open-metrics.ts";
import { explainEnd } from "../../../src/program/start-error.ts";
import type { Database } from "../../../src/store/database.ts";
import { describeOnBothDatabases } from "../../support/databases.ts";

describeOnBothDatabases("the console's metrics", (databases) => {
  it("say what there is, and name no place where there's nothing", async () => {
    await using database = await databases.open();
    const metrics = metricsOf(database);
    metrics.addEvents(3);
    metrics.observeRequest("api", 200, 0.02);
    metrics.observeRequest("flux", 101, 0.02);

    const { body, contentType } = await metrics.exposition();

    assert.match(contentType, /^text\/plain; version=0\.0\.4/);
    for (const line of [
      "weir_console_connected_daemons 7",
      "weir_console_streams 2",
      "weir_console_events_stored_total 3",
      'weir_console_jobs{state="queued"} 0',
      'weir_console_notifications{state="pending"} 0',
      'weir_console_request_duration_seconds_count{of="api",status="2xx"} 1',
    ]) {
      assert.ok(body.includes(`${line}\n`), line);
    }
  });
});

describe("the console's server", () => {
  let server: ListeningServer;
  let isReady = true;
  const asked: string[] = [];
  const metrics: ConsoleMetrics = {
    addEvents: () => undefined,
    observeRequest: (of, status) => asked.push(`${of} ${status}`),
    exposition: () => Promise.resolve({ contentType: "text/plain", body: "weir_console_streams 0\n" }),
  };
  const held: (() => void)[] = [];
  const parts = {
    metrics,
    app: [
      (({ url }, response, next) => {
        if (url === "/slow") {
          held.push(() => response.end("slow"));
        } else if (url.startsWith("/api/other")) {
          next();
        } else {
          response.end(`app ${url}`);
        }
      }) satisfies RequestHandler,
    ],
    flux: ({ url = "" }: IncomingMessage, response: Response) => void response.end(`flux ${url}`),
    upgrade: (_request: IncomingMessage, socket: Duplex) => socket.end("upgraded"),
    ready: () => (isReady ? Promise.resolve() : Promise.reject(new Error("the password is secret"))),
    showsMetrics: true,
  };
  before(async () => {
    server = await listenForConsole(parts, "127.0.0.1:0");
  });
  after(() => server.stop(0));

  const get = async (path: string, at = server): Promise<string> => {
    const response = await fetch(`http://${at.address}${path}`);
    return `${response.status} ${(await response.text()).trim()}`;
  };

  it("passes requests on by their paths, and measures them", async () => {
    assert.equal(await get("/instances"), "200 app /instances");
    assert.equal(await get("/api/console/v1/about"), "200 app /api/console/v1/about");
    assert.equal(await get("/api/flux/v11/ping?x=1"), "200 flux /api/flux/v11/ping?x=1");
    assert.equal(await get("/api/fluxx"), "200 app /api/fluxx");
    assert.equal(await get("/api/other"), "404 404 not found: the REST API is below /api/console/v1");
    assert.equal(await get("/api/console/v1/stream"), "200 app /api/console/v1/stream");
    assert.deepEqual(asked, ["page 200", "api 200", "flux 200", "page 200", "page 404"]);
  });

  it("says whether it lives and is ready, without saying why not", async () => {
    assert.equal(await get("/healthz"), "200 ok");
    assert.equal(await get("/readyz"), "200 ok");
    isReady = false;
    assert.equal(await get("/readyz"), "503 not ready");
    assert.equal(await get("/healthz"), "200 ok");
  });

  it("shows metrics there, or at an address of their own", async () => {
    const own = await listenForMetrics(metrics, "127.0.0.1:0");

    assert.equal(await get("/metrics"), "200 weir_console_streams 0");
    assert.equal(await get("/metrics", own), "200 weir_console_streams 0");
    assert.equal(await get("/healthz", own), "404 404 not found: metrics are at /metrics");
    await own.stop(0);
  });

  it("accepts websockets where daemons connect, and nowhere else", async () => {
    const answers = await Promise.all(["/api/flux/v11/daemon", "/elsewhere"].map((path) => upgrade(path)));

    assert.equal(answers[0], "upgraded");
    assert.match(answers[1] ?? "", /^HTTP\/1\.1 404 /);
  });

  it("names the address that is taken, and what to do", async () => {
    await assert.rejects(listenForConsole(parts, server.address), (error: ListenError) => {
      assert.equal(
        explainEnd(error),
        `cannot listen on ${server.address}: another program listens there: choose another address with --listen or --listen-metrics, or stop what uses it`,
      );
      return true;
    });
  });

  it("stops after the requests under way, or when the time is over", async () => {
    const patient = await listenForConsole(parts, "127.0.0.1:0");
    const answer = get("/slow", patient);
    await until("the request", () => held.length === 1);
    const stopped = patient.stop(600_000);
    held[0]?.();
    assert.equal(await answer, "200 slow");
    await stopped;

    const hasty = await listenForConsole(parts, "127.0.0.1:0");
    const broken = get("/slow", hasty).catch(() => "broken off");
    await until("the request", () => held.length === 2);
    await hasty.stop(0);
    assert.equal(await broken, "broken off");
  });

  async function upgrade(path: string): Promise<string> {
    const [host, port] = server.address.split(":");
    const socket = connect(Number(port), host);
    const headers = "Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket";
    socket.write(`GET ${path} HTTP/1.1\r\n${headers}\r\n\r\n`);
    let text = "";
    socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
    await once(socket, "close");
    return text;
  }
});

function metricsOf({ connection }: Database): ConsoleMetrics {
  return openConsoleMetrics({ connection, clock: systemClock, connections: () => 7, streams: () => 2 });
}

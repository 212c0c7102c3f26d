import { backoffDelay, orAborted, Reported, toError } from "@weir/base";
import pg from "pg";
import type { ListenRequest } from "./engine.ts";
import { clientOptions, type ServerOptions } from "./server-options.ts";

const waits = { initialMs: 200, maxMs: 5_000, factor: 2, jitter: 0.5 };

/** How often the connection is tried while nothing comes, and how long an answer may take, in milliseconds. */
const probeInterval = 15_000;
const probeTimeout = 10_000;

/** Listens on a connection of its own, and connects again when it's lost, until it's aborted. */
export async function listenOnServer(
  options: ServerOptions,
  request: ListenRequest,
  signal: AbortSignal,
): Promise<void> {
  const reported = new Reported();
  const isStopped = (): boolean => signal.aborted;
  let failures = 0;
  while (!isStopped()) {
    try {
      await listenOnce(
        options,
        {
          ...request,
          begun: () => {
            failures = 0;
            reported.clear("listen");
            request.begun();
          },
        },
        signal,
      );
    } catch (error) {
      failures += 1;
      if (!isStopped() && reported.isNew("listen")) {
        options.log.log({
          component: "store",
          warning: "not listening to the database; trying again",
          err: toError(error),
        });
      }
    }
    if (!isStopped()) {
      await request.clock.sleep(backoffDelay(waits, Math.max(1, failures)), signal).catch(() => undefined);
    }
  }
}

/** Rejects when the connection is lost, or the signal is aborted. */
async function listenOnce(
  options: ServerOptions,
  request: ListenRequest,
  signal: AbortSignal,
): Promise<void> {
  const client = new pg.Client({ ...clientOptions(options.url), query_timeout: probeTimeout });
  const lost = new Promise<never>((_, reject) => {
    client.on("error", reject);
    client.on("end", () => reject(new Error("the connection has ended")));
  });
  // It's also lost while nobody waits for that.
  lost.catch(() => undefined);
  client.on("notification", ({ payload }) => request.message(payload ?? ""));
  try {
    await orAborted(client.connect(), signal);
    await orAborted(client.query(`listen ${client.escapeIdentifier(request.channel)}`), signal);
    request.begun();
    for (;;) {
      await Promise.race([lost, request.clock.sleep(probeInterval, signal)]);
      await client.query("select 1");
    }
  } finally {
    // Ends by itself, even if the server doesn't answer.
    void client.end().catch(() => undefined);
  }
}

/**
 * Daemons in a process of their own, told by its parent what to do: `daemons.ts URL COUNT`. The token of each is
 * "instance-" and its number. They give the answers that were recorded of Flux v1. Like fluxd, one whose connection ends connects again five seconds later.
 */
import { Agent, request } from "node:http";
import { systemClock } from "@weir/base";
import { connectRecorded } from "./recorded-daemon.ts";

/** What the parent asks for. */
export type DaemonsCommand =
  | { readonly type: "count" }
  | { readonly type: "post"; readonly perSecond: number; readonly seconds: number };

/** What the parent is told. */
export type DaemonsReport =
  | { readonly type: "count"; readonly connected: number }
  | { readonly type: "posted"; readonly accepted: number; readonly seconds: number };

const [url = "", count = "0"] = process.argv.slice(2);
const tokens = Array.from({ length: Number(count) }, (_item, index) => `instance-${index}`);
const stop = new AbortController();
const reconnectDelay = 5_000;
const agent = new Agent({ keepAlive: true });
let connected = 0;

process.on("message", (command: DaemonsCommand) => {
  if (command.type === "count") {
    report({ type: "count", connected });
  } else {
    void post(command.perSecond, command.seconds);
  }
});
process.on("disconnect", () => {
  stop.abort();
  process.exit();
});
await Promise.all(tokens.map(stayConnected));

async function stayConnected(token: string): Promise<void> {
  while (!stop.signal.aborted) {
    const daemon = await connectRecorded(url, token).catch(() => undefined);
    if (daemon?.status.includes(" 101 ") === true) {
      connected += 1;
      await daemon.closed;
      connected -= 1;
    }
    await systemClock.sleep(reconnectDelay, stop.signal).catch(() => undefined);
  }
}

/** Each event's message is the time at which it was posted, in milliseconds since the epoch. */
async function post(perSecond: number, seconds: number): Promise<void> {
  const began = performance.now();
  const total = perSecond * seconds;
  const sent: Promise<boolean>[] = [];
  while (sent.length < total) {
    const due = Math.min(total, Math.ceil(((performance.now() - began) / 1000) * perSecond));
    while (sent.length < due) {
      sent.push(postOne(tokens[sent.length % tokens.length] ?? "", sent.length));
    }
    await systemClock.sleep(5, stop.signal);
  }
  const accepted = (await Promise.all(sent)).filter(Boolean).length;
  report({ type: "posted", accepted, seconds: (performance.now() - began) / 1000 });
}

/**
 * Resolves to whether it was accepted. Not with fetch: it takes nearly twice the processor time, on the cores that the
 * console needs too.
 */
function postOne(token: string, number: number): Promise<boolean> {
  const at = new Date().toISOString();
  const body = JSON.stringify({
    ...{ type: "lock", startedAt: at, endedAt: at },
    message: `${Date.now()} ${number}`,
  });
  const headers = { Authorization: `Scope-Probe token=${token}` };
  return new Promise((resolve) => {
    const posted = request(`${url}/v6/events`, { method: "POST", agent, headers }, (response) => {
      response.resume();
      response.once("close", () => resolve(response.statusCode === 204));
    });
    posted.once("error", () => resolve(false));
    posted.end(body);
  });
}

function report(message: DaemonsReport): void {
  process.send?.(message);
}

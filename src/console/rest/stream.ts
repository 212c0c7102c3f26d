import type { ServerResponse } from "node:http";
import type { Clock, Unsubscribe } from "@weir/base";
import { type Actor, mayAct, mayActSomewhere } from "../access/actor.ts";
import type { Change } from "../contract/events.ts";

/** How often a stream says that it's alive, in milliseconds: proxies close what's silent for a minute. */
const beat = 20_000;

/** How much may wait for a reader who is slow, in bytes; then the stream ends, and the page begins again. */
const mostWaiting = 1024 * 1024;

/** What streams need. */
export interface StreamSources {
  readonly clock: Clock;
  /** Calls the listener with what changes, as it does. */
  subscribe(listener: (change: Change) => void): Unsubscribe;
  /** Resolves when this actor's session or token ends, or their roles change. */
  ended(actor: Actor, signal: AbortSignal): Promise<void>;
}

/**
 * Sends what changes, as server-sent events, of what an actor may see. Resolves when the client goes away, the session
 * ends, or the signal is aborted; the page then opens another stream, if it may.
 */
export async function streamChanges(
  response: ServerResponse,
  actor: Actor,
  sources: StreamSources,
  signal: AbortSignal,
): Promise<void> {
  response.writeHead(200, {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store",
    // nginx would otherwise collect what's sent.
    "X-Accel-Buffering": "no",
  });
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  const send = (text: string): void => {
    response.write(text);
    if (response.writableLength > mostWaiting) {
      stop.abort();
    }
  };
  send("retry: 2000\n\n");
  const unsubscribe = sources.subscribe((change) => {
    if (maySee(actor, change)) {
      send(`event: ${change.type}\ndata: ${JSON.stringify(change)}\n\n`);
    }
  });
  response.once("close", () => stop.abort());
  try {
    const end = sources.ended(actor, either);
    for (;;) {
      const isOver = await Promise.race([
        end.then(() => true),
        sources.clock.sleep(beat, either).then(() => false),
      ]);
      if (isOver) {
        return;
      }
      send(": alive\n\n");
    }
  } catch (error) {
    if (!either.aborted) {
      throw error;
    }
  } finally {
    stop.abort();
    unsubscribe();
    response.end();
  }
}

/** True if a change is of something that the actor may see. What was changed is read again by those who see it. */
export function maySee(actor: Actor, change: Change): boolean {
  switch (change.type) {
    case "reload":
      return true;
    case "event": {
      const { instance, namespaces } = change.event;
      const isForAll = namespaces.length === 0;
      return isForAll
        ? mayActSomewhere(actor, "viewer", { instanceId: instance.id })
        : namespaces.some((namespace) => mayAct(actor, "viewer", { instanceId: instance.id, namespace }));
    }
    case "instance":
    case "workloads":
    case "job":
      return mayActSomewhere(actor, "viewer", { instanceId: change.instanceId });
  }
}

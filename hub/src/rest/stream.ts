import type { ServerResponse } from "node:http";
import type { Clock, Unsubscribe } from "@weir/base";
import { type Actor, mayActSomewhere, scopeOf } from "../access/actor.ts";
import type { Change } from "../contract/events.ts";
import { partOfEvent, resourcesInSight, sightOf } from "../store/event-part.ts";

/** How often a stream says that it's alive, in milliseconds: proxies close what's silent for a minute. */
const beat = 20_000;

/** How much may wait for a reader who is slow, in bytes; then the stream ends, and the page begins again. */
const mostWaiting = 1024 * 1024;

/** What changed, with what it takes to know who may see it. */
export type LiveChange =
  | Exclude<Change, { readonly type: "job" }>
  | {
      readonly type: "job";
      readonly job: Extract<Change, { readonly type: "job" }>;
      /** Of everything that the job changes; none if that's not limited to namespaces. */
      readonly namespaces: readonly string[];
    };

/** What streams need. */
export interface StreamSources {
  readonly clock: Clock;
  /** Calls the listener with what changes, as it does. */
  subscribe(listener: (change: LiveChange) => void): Unsubscribe;
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
    sendTogether(response, text);
    if (response.writableLength > mostWaiting) {
      stop.abort();
    }
  };
  send("retry: 2000\n\n");
  const unsubscribe = sources.subscribe((change) => {
    const shown = shownTo(actor, change);
    if (shown !== undefined) {
      send(`event: ${shown.type}\ndata: ${JSON.stringify(shown)}\n\n`);
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

/** Writes what is sent in one go as one packet: a burst of changes would otherwise cost a system call and a packet each. */
function sendTogether(response: ServerResponse, text: string): void {
  if (response.writableCorked === 0) {
    response.cork();
    process.nextTick(() => response.uncork());
  }
  response.write(text);
}

/**
 * What of a change an actor may see, which is what they'd find in lists; undefined for nothing. What was changed is read
 * again by those who see it.
 */
export function shownTo(actor: Actor, change: LiveChange): Change | undefined {
  switch (change.type) {
    case "reload":
      return change;
    case "event": {
      const event = partOfEvent(change.event, sightOf(scopeOf(actor), change.event.instance.id));
      return event && { ...change, event };
    }
    case "instance":
      return mayActSomewhere(actor, "viewer", change) ? change : undefined;
    case "workloads": {
      const ids = resourcesInSight(change.ids, sightOf(scopeOf(actor), change.instanceId));
      // No IDs stand for many.
      const isNone = ids.length === 0 && change.ids.length > 0;
      return isNone || !mayActSomewhere(actor, "viewer", change) ? undefined : { ...change, ids };
    }
    case "job": {
      const { job, namespaces } = change;
      const sight = sightOf(scopeOf(actor), job.instanceId);
      const isSeen = sight === "everything" || (namespaces.length > 0 && namespaces.every(sight));
      return isSeen ? job : undefined;
    }
  }
}

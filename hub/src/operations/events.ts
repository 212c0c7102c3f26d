import { scopeOf } from "../access/actor.ts";
import type { ConsoleEvent } from "../contract/events.ts";
import { Problem } from "../problem/problem.ts";
import { partOfEvent, sightOf } from "../store/event-part.ts";
import { findEvent, listEvents, type StoredEvent } from "../store/events.ts";
import { instanceNames } from "../store/instances.ts";
import type { Connection } from "../store/schema.ts";
import type { Handlers } from "./call.ts";
import { answeredTime, pageRequest } from "./page.ts";

/** Answers what happened. */
export function eventHandlers(connection: Connection): Pick<Handlers, "events" | "event"> {
  return {
    events: async ({ actor, query }) => {
      const filter = {
        scope: scopeOf(actor),
        search: query.q,
        instanceIds: query.instance,
        namespaces: query.namespace,
        workloadIds: query.workload,
        types: query.type,
        severities: query.severity,
        from: query.since === undefined ? undefined : new Date(query.since),
        to: query.until === undefined ? undefined : new Date(query.until),
      };
      const page = pageRequest(query, { at: ["at", "ascending"], "-at": ["at", "descending"] });
      const found = await listEvents(connection, filter, page);
      const names = await instanceNames(
        connection,
        found.items.map(({ instanceId }) => instanceId),
      );
      const items = found.items.flatMap((event) => {
        const answered = answeredEvent(event, names.get(event.instanceId) ?? "");
        return partOfEvent(answered, sightOf(filter.scope, event.instanceId)) ?? [];
      });
      return { rows: items, next: found.next ?? null };
    },
    event: async ({ actor, path }) => {
      const id = /^[1-9]\d{0,15}$/.test(path.event) ? Number(path.event) : undefined;
      const scope = scopeOf(actor);
      const found = id === undefined ? undefined : await findEvent(connection, id, scope);
      const shown = found && (await shownEvent(connection, found, scope));
      if (shown === undefined) {
        throw new Problem("not-found", "There is no such event.", {
          advice:
            "Look at the timeline: events are deleted after some months, and you see those that you may.",
        });
      }
      return shown;
    },
  };
}

/** As much of an event as the scope shows; undefined for none of it. */
async function shownEvent(
  connection: Connection,
  event: StoredEvent,
  scope: ReturnType<typeof scopeOf>,
): Promise<ConsoleEvent | undefined> {
  const names = await instanceNames(connection, [event.instanceId]);
  const answered = answeredEvent(event, names.get(event.instanceId) ?? "");
  return partOfEvent(answered, sightOf(scope, event.instanceId));
}

/** An event as it's answered, and as streams send it. */
export function answeredEvent(stored: StoredEvent, instanceName: string): ConsoleEvent {
  return {
    id: stored.id,
    instance: { id: stored.instanceId, name: instanceName },
    type: stored.type,
    severity: stored.severity,
    at: answeredTime(stored.at),
    message: stored.message,
    revision: stored.revision,
    workloads: [...stored.workloadIds],
    namespaces: [...stored.namespaces],
    metadata: stored.metadata,
  };
}

import { scopeOf } from "../../access/actor.ts";
import type { ConsoleEvent } from "../../contract/events.ts";
import { listEvents, type StoredEvent } from "../../store/events.ts";
import { instanceNames } from "../../store/instances.ts";
import type { Connection } from "../../store/schema.ts";
import type { Handlers } from "../call.ts";
import { answeredPage, answeredTime, pageRequest } from "./page.ts";

/** Answers what happened, newest first. */
export function eventHandlers(connection: Connection): Pick<Handlers, "events"> {
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
      const page = pageRequest({ ...query, sort: "newest" }, { newest: ["at", "descending"] });
      const found = await listEvents(connection, filter, page);
      const names = await instanceNames(
        connection,
        found.items.map(({ instanceId }) => instanceId),
      );
      return answeredPage(found, (event) => answeredEvent(event, names.get(event.instanceId) ?? ""));
    },
  };
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

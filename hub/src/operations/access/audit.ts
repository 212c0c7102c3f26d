import { includesRole, scopeOf } from "../../access/actor.ts";
import type { AuditEntry as AnsweredEntry } from "../../contract/access.ts";
import { type AuditEntry, listAudit } from "../../store/audit.ts";
import type { Connection } from "../../store/schema.ts";
import type { Handlers } from "../call.ts";
import { answeredPage, answeredTime, pageRequest } from "../page.ts";

/** Answers what was done by whom, where the reader is administrator. */
export function auditHandlers(connection: Connection): Pick<Handlers, "audit"> {
  return {
    audit: async ({ actor, query }) => {
      const grants = actor.grants.filter(({ role }) => includesRole(role, "administrator"));
      const filter = {
        scope: scopeOf({ grants }),
        search: query.q,
        actions: oneOf(query.action),
        instanceIds: oneOf(query.instance),
        from: query.since === undefined ? undefined : new Date(query.since),
        to: query.until === undefined ? undefined : new Date(query.until),
      };
      const page = pageRequest({ ...query, sort: "newest" }, { newest: ["at", "descending"] });
      return answeredPage(await listAudit(connection, filter, page), answeredEntry);
    },
  };
}

function oneOf(value: string | undefined): readonly string[] | undefined {
  return value === undefined ? undefined : [value];
}

function answeredEntry(stored: AuditEntry): AnsweredEntry {
  const { id, actorKind: kind, actorName: name, action, outcome, address } = stored;
  const { instanceId, namespace, subject, detail } = stored;
  return {
    ...{ id, at: answeredTime(stored.at), actor: { kind, name }, action, outcome },
    ...{ instanceId, namespace, subject, detail, address },
  };
}

import type { Access } from "../../access/access.ts";
import { administers } from "../../access/actor.ts";
import { requireGivable } from "../../access/giving.ts";
import type { Answer } from "../../contract/schemas.ts";
import { Problem } from "../../problem/problem.ts";
import { createApprovalRule, deleteApprovalRule, listApprovalRules } from "../../store/approval-rules.ts";
import type { ListedRole } from "../../store/roles.ts";
import type { AuditNote, Handlers } from "../call.ts";
import { answeredTime } from "../page.ts";

/** Who has which role, and where changes need a second person. */
export function rightsHandlers({
  connection,
  clock,
  administration,
}: Access): Pick<
  Handlers,
  "roles" | "addRole" | "removeRole" | "approvalRules" | "addApprovalRule" | "removeApprovalRule"
> {
  return {
    roles: async ({ actor }) => ({ rows: (await administration.roles(actor)).map(answeredRole) }),
    addRole: async ({ actor, body, audit }) => {
      const { userId = null, group: groupName = null, role, instanceId, namespace } = body;
      const wanted = { userId, groupName, role, instanceId, namespace };
      audit({ subject: userId ?? groupName ?? "", detail: { role }, ...noteOf(wanted) });
      return answeredRole(await administration.addRole(actor, wanted));
    },
    removeRole: async ({ actor, path, audit }) => {
      const role = await administration.removeRole(actor, path.role);
      audit({ subject: role.userId ?? role.groupName ?? "", detail: { role: role.role }, ...noteOf(role) });
    },
    approvalRules: async ({ actor }) => ({
      rows: (await listApprovalRules(connection))
        .filter((rule) => administers(actor, rule))
        .map(({ id, instanceId, namespace }) => ({ id, instanceId, namespace })),
    }),
    addApprovalRule: async ({ actor, body, audit }) => {
      audit(noteOf(body));
      await requireGivable(connection, actor, body);
      const id = await createApprovalRule(connection, { ...body, createdBy: actor.userId }, clock.now());
      return { id, ...body };
    },
    removeApprovalRule: async ({ actor, path, audit }) => {
      const rule = (await listApprovalRules(connection)).find(({ id }) => id === path.rule);
      if (
        rule === undefined ||
        !administers(actor, rule) ||
        !(await deleteApprovalRule(connection, rule.id))
      ) {
        throw new Problem("not-found", "There's no such rule.", {
          advice: "Look at the list of rules; it may have been removed already.",
        });
      }
      audit(noteOf(rule));
    },
  };
}

/** Where something holds, as the audit log has it. */
function noteOf({
  instanceId,
  namespace,
}: {
  readonly instanceId: string | null;
  readonly namespace: string | null;
}): AuditNote {
  return { ...(instanceId === null ? {} : { instanceId }), ...(namespace === null ? {} : { namespace }) };
}

function answeredRole(stored: ListedRole): Answer<"addRole"> {
  const { id, userId, login, groupName: group, role, instanceId, namespace, createdAt } = stored;
  return { id, userId, login, group, role, instanceId, namespace, createdAt: answeredTime(createdAt) };
}

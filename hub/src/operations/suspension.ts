import { describeSuspensions, suspendable, suspensionOf } from "@weir/flux/api";
import { updateInstanceState } from "../store/instances.ts";
import { askDaemon, requireInspection } from "./ask.ts";
import type { Handlers } from "./call.ts";
import { type OperationOptions, tell } from "./options.ts";
import { requireRole } from "./rights.ts";

/** Suspends and resumes what daemons do by themselves. */
export function suspensionHandlers(options: OperationOptions): Pick<Handlers, "suspend"> {
  const { database } = options;
  return {
    suspend: async ({ actor, path: { instance: instanceId }, body, signal, audit }) => {
      requireRole(actor, "operator", { instanceId, namespaces: [] });
      audit({ detail: { suspended: body.suspended } });
      const { name: user } = actor;
      const { suspensions } = await askDaemon({ ...options, instanceId, signal }, async (daemon, within) => {
        const inspection = await requireInspection(daemon, "Suspending", within);
        return body.suspended
          ? inspection.suspend({ what: suspendable, reason: body.reason, user }, within)
          : inspection.resume({ what: suspendable, user }, within);
      });
      await database.transaction(async (transaction) => {
        await updateInstanceState(transaction, instanceId, {
          suspended: suspensions.length > 0,
          syncSuspended: suspensionOf("sync", suspensions) !== undefined,
          suspendedReason: describeSuspensions(suspensions).join("; "),
        });
        await tell(options, transaction, { topic: "changes", of: { instanceId, workloads: [] } });
      });
      return undefined;
    },
  };
}

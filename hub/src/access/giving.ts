import { Problem } from "../problem/problem.ts";
import { findInstance } from "../store/instances.ts";
import type { Connection } from "../store/schema.ts";
import { type Actor, administers, type Grant, mayAct, scopeOf } from "./actor.ts";

/** Refuses whoever isn't administrator of everything: what is done to users concerns all that they may do. Throws a Problem. */
export function requireAdministrator(actor: Actor): void {
  if (!mayAct(actor, "administrator", {})) {
    throw new Problem("forbidden", "This needs the role administrator for all instances.", {
      advice: "Ask an administrator of the whole console to do it.",
    });
  }
}

/** Where something is to hold. */
type Where = Pick<Grant, "instanceId" | "namespace">;

/** Refuses a place that doesn't exist, or that the actor may not see. Rejects with a Problem. */
export async function requirePlace(connection: Connection, actor: Actor, place: Where): Promise<void> {
  const { instanceId, namespace } = place;
  if (instanceId === null && namespace !== null) {
    throw new Problem("invalid", "A namespace needs an instance.", {
      advice: "Name the instance, or leave the namespace out.",
      fields: { instanceId: "is needed for a namespace" },
    });
  }
  if (instanceId !== null && (await findInstance(connection, instanceId, scopeOf(actor))) === undefined) {
    throw new Problem("not-found", "There's no such instance.", {
      advice: "Look at the list of instances; it may have been removed.",
      fields: { instanceId: "doesn't exist" },
    });
  }
}

/** Refuses what the actor may not give to others or take from them, such as a role. Rejects with a Problem. */
export async function requireGivable(connection: Connection, actor: Actor, place: Where): Promise<void> {
  await requirePlace(connection, actor, place);
  if (!administers(actor, place)) {
    throw new Problem("forbidden", "You aren't administrator of all of that yourself.", {
      advice: "Ask an administrator of the whole console, or choose less.",
    });
  }
}

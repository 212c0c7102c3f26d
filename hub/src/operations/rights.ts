import { type Actor, mayAct } from "../access/actor.ts";
import { Problem } from "../problem/problem.ts";
import type { RoleName } from "../store/schema.ts";

/** What an operation has to do with: some namespaces of an instance, or the instance as a whole if none is named. */
export interface Reach {
  readonly instanceId: string;
  readonly namespaces: readonly string[];
}

/** True if somebody has a role for everything that an operation has to do with. */
export function mayReach(
  actor: Pick<Actor, "grants">,
  role: RoleName,
  { instanceId, namespaces }: Reach,
): boolean {
  return namespaces.length === 0
    ? mayAct(actor, role, { instanceId })
    : namespaces.every((namespace) => mayAct(actor, role, { instanceId, namespace }));
}

/** Throws a Problem unless somebody has a role for everything that an operation has to do with. */
export function requireRole(actor: Actor, role: RoleName, reach: Reach): void {
  if (!mayReach(actor, role, reach)) {
    const where = reach.namespaces.length === 0 ? "the whole instance" : "every namespace that is concerned";
    throw new Problem("forbidden", `This needs the role ${role} for ${where}.`, {
      advice: "Ask an administrator of the console for the role, or somebody who has it to do this.",
    });
  }
}

/** Throws a Problem unless somebody is an administrator of everything, or of a whole instance. */
export function requireAdministrator(actor: Actor, instanceId?: string): void {
  if (!mayAct(actor, "administrator", instanceId === undefined ? {} : { instanceId })) {
    const what = instanceId === undefined ? "all instances" : "the whole instance";
    throw new Problem("forbidden", `This needs the role administrator for ${what}.`, {
      advice: "Ask an administrator of the console to do this.",
    });
  }
}

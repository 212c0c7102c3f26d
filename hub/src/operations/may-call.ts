import { type Actor, mayAct, mayActSomewhere } from "../access/actor.ts";
import type { Route } from "../contract/routes.ts";
import { Problem } from "../problem/problem.ts";

/**
 * Checks that somebody may call an operation. Where a role for a part suffices, its handler checks namespaces, and leaves
 * out of lists what the caller may not see. An instance that the caller may not see doesn't exist for them: the problem
 * is that of a missing one.
 */
export function checkMayCall(
  { needs, forPart = false }: Pick<Route, "needs" | "forPart">,
  actor: Actor | undefined,
  { instance }: { readonly instance?: string },
): void {
  if (needs === "nobody") {
    return;
  }
  if (actor === undefined) {
    throw new Problem("unauthenticated", "This needs a session or a token.", {
      advice: "Log in, or send a token of the console as `Authorization: Bearer …`.",
    });
  }
  const place = instance === undefined ? {} : { instanceId: instance };
  if (needs === "anybody-logged-in" || (forPart ? mayActSomewhere : mayAct)(actor, needs, place)) {
    return;
  }
  if (instance !== undefined && !mayActSomewhere(actor, "viewer", place)) {
    throw noSuchInstance();
  }
  throw new Problem("forbidden", `This needs the role ${needs}${wherePhrase(forPart, instance)}.`, {
    advice: "Ask an administrator of the console for the role.",
  });
}

function wherePhrase(forPart: boolean, instance: string | undefined): string {
  if (instance !== undefined) {
    return forPart ? " for this instance" : " for the whole instance";
  }
  return forPart ? "" : " for all instances";
}

/** The problem of an instance that doesn't exist, or that the caller may not see. */
export function noSuchInstance(): Problem {
  return new Problem("not-found", "There's no such instance.", {
    advice: "Look at the list of instances; it may have been removed, or your role for it was.",
  });
}

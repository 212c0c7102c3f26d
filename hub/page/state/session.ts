import { createContext, useContext } from "react";
import type { RoleName, Session } from "../../src/contract/access.ts";
import { may, mayReach, maySomewhere, type Place } from "./may.ts";

/** Who is logged in; undefined outside of the screens that need it. */
export const SessionContext = createContext<Session | undefined>(undefined);

/** Who is logged in. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) {
    throw new Error("nobody is logged in: use this only inside the shell");
  }
  return session;
}

/** Whether who is logged in has a role at a place. */
export function useMay(role: RoleName, place: Place = {}): boolean {
  return may(useSession().grants, role, place);
}

/** Whether who is logged in has a role for all resources with these IDs; without any, for the whole instance. */
export function useMayReach(role: RoleName, instanceId: string, ids: readonly string[]): boolean {
  return mayReach(useSession().grants, role, { instanceId, ids });
}

/** Whether who is logged in has a role for some part of an instance. */
export function useMaySomewhere(role: RoleName, instanceId: string): boolean {
  return maySomewhere(useSession().grants, role, instanceId);
}

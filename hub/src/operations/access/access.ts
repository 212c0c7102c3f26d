import type { Access } from "../../access/access.ts";
import { auditHandlers } from "./audit.ts";
import { type LoginOptions, loginHandlers } from "./login.ts";
import { ownHandlers } from "./own.ts";
import { rightsHandlers } from "./rights.ts";
import { userHandlers } from "./users.ts";

/** Everything about who may do what. */
export function accessHandlers(access: Access, options: LoginOptions): AccessHandlers {
  return {
    ...loginHandlers(access, options),
    ...ownHandlers(access),
    ...userHandlers(access),
    ...rightsHandlers(access),
    ...auditHandlers(access.connection),
  };
}

type AccessHandlers = ReturnType<typeof loginHandlers> &
  ReturnType<typeof ownHandlers> &
  ReturnType<typeof userHandlers> &
  ReturnType<typeof rightsHandlers> &
  ReturnType<typeof auditHandlers>;

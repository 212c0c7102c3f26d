import type { Migration } from "kysely/migration";
import { instances } from "./0001-instances.ts";
import { workloads } from "./0002-workloads.ts";
import { events } from "./0003-events.ts";
import { access } from "./0004-access.ts";
import { jobs } from "./0005-jobs.ts";
import { audit } from "./0006-audit.ts";
import { notifications } from "./0007-notifications.ts";
import { bus } from "./0008-bus.ts";
import { presence } from "./0009-presence.ts";
import { exactJobs } from "./0010-exact-jobs.ts";
import { confirmedGroups } from "./0011-confirmed-groups.ts";
import { begunAudit } from "./0012-begun-audit.ts";
import { tokensOfJobs } from "./0013-tokens-of-jobs.ts";
import { rivals } from "./0014-rivals.ts";
import { dispatchProgress } from "./0015-dispatch-progress.ts";
import { toMigration } from "./steps.ts";

/** All steps of the schema by name, in order. One that was released never changes: a new one follows it. */
export const migrations: Readonly<Record<string, Migration>> = {
  "0001-instances": toMigration(instances),
  "0002-workloads": toMigration(workloads),
  "0003-events": toMigration(events),
  "0004-access": toMigration(access),
  "0005-jobs": toMigration(jobs),
  "0006-audit": toMigration(audit),
  "0007-notifications": toMigration(notifications),
  "0008-bus": toMigration(bus),
  "0009-presence": toMigration(presence),
  "0010-exact-jobs": toMigration(exactJobs),
  "0011-confirmed-groups": toMigration(confirmedGroups),
  "0012-begun-audit": toMigration(begunAudit),
  "0013-tokens-of-jobs": toMigration(tokensOfJobs),
  "0014-rivals": toMigration(rivals),
  "0015-dispatch-progress": toMigration(dispatchProgress),
};

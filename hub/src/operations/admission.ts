import type { Clock } from "@weir/base";
import type { Grant } from "../access/actor.ts";
import { actorOfToken } from "../access/credentials.ts";
import { jobSpec } from "../contract/jobs.ts";
import type { Admission, AdmitJob } from "../daemons/ports.ts";
import { Problem } from "../problem/problem.ts";
import type { Database } from "../store/database.ts";
import type { Job, Requester } from "../store/jobs.ts";
import { rolesOf } from "../store/roles.ts";
import type { Connection } from "../store/schema.ts";
import { findUser } from "../store/users.ts";
import { planAgain } from "./plan.ts";
import { digestOf } from "./planned.ts";
import { mayReach } from "./rights.ts";

/** What the admission of jobs needs. */
export interface AdmissionOptions {
  readonly database: Pick<Database, "connection">;
  readonly clock: Clock;
}

/**
 * Admits jobs to daemons: those of people who still may do what they requested or approved, and those that still do what
 * was planned.
 */
export function jobAdmission({ database, clock }: AdmissionOptions): AdmitJob {
  return async (job, daemon, signal) => {
    const { instanceId } = job;
    for (const { who, did } of peopleOf(job)) {
      if (!mayReach({ grants: await grantsOf(database.connection, who, clock.now()) }, "operator", job)) {
        const means = who.tokenId === null ? who.name : `The token of ${who.name}`;
        const how = who.tokenId === null ? `who ${did} it` : `with which it was ${did}`;
        return refused(`${means}, ${how}, may not do this any more.`);
      }
    }
    if (!isLookedAtAgain(job)) {
      return { isAdmitted: true, revision: "" };
    }
    const hub = { daemon: () => Promise.resolve(daemon) };
    const asked = { spec: job.spec, request: jobSpec.parse(job.request) };
    try {
      const planned = await planAgain({ hub, clock, instanceId, signal }, asked);
      return digestOf(instanceId, planned.substance) === job.planDigest
        ? { isAdmitted: true, revision: planned.head }
        : refused(
            "What it would do has changed since it was planned. Look at a new plan, and request it again.",
          );
    } catch (error) {
      if (error instanceof Problem && error.kind !== "unavailable") {
        return refused(error.message);
      }
      throw error;
    }
  };
}

/** What daemons are sent for other kinds names what it replaces, so that it's done exactly or not at all. */
function isLookedAtAgain({ exact, kind, decidedAt }: Job): boolean {
  return exact && (decidedAt !== null || kind === "sync" || kind === "undo");
}

/** A person who has to be permitted to do what a job does, and what they did for it. */
interface Responsible {
  readonly who: Requester;
  readonly did: "requested" | "approved";
}

function peopleOf(job: Job): readonly Responsible[] {
  const { requestedBy, requestedByName, requestedTokenId, decidedBy, decidedByName, decidedTokenId } = job;
  const requester: Responsible = {
    who: { id: requestedBy, name: requestedByName, tokenId: requestedTokenId },
    did: "requested",
  };
  return decidedByName === ""
    ? [requester]
    : [requester, { who: { id: decidedBy, name: decidedByName, tokenId: decidedTokenId }, did: "approved" }];
}

/** What somebody may do at this moment, with the token if they used one; nothing if it doesn't work any more. */
async function grantsOf(
  connection: Connection,
  { id, tokenId }: Requester,
  now: number,
): Promise<readonly Grant[]> {
  if (tokenId !== null) {
    const found = await actorOfToken(connection, { id: tokenId }, now);
    return found !== undefined && found.actor.userId === id ? found.actor.grants : [];
  }
  const user = id === null ? undefined : await findUser(connection, id);
  return user === undefined || user.disabledAt !== null ? [] : rolesOf(connection, user, now);
}

function refused(why: string): Admission {
  return { isAdmitted: false, why };
}

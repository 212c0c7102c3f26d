import type { Clock } from "@weir/base";
import { Problem } from "../../problem/problem.ts";
import type { Connection } from "../../store/schema.ts";
import { inTransaction } from "../../store/transaction.ts";
import {
  createUser,
  findUserByIdentity,
  findUserByLogin,
  linkIdentity,
  noteLogin,
  type User,
  updateUser,
} from "../../store/users.ts";
import type { Visitor } from "../accounts.ts";
import type { Endings } from "../endings.ts";
import type { OwnSession, Sessions } from "../sessions.ts";
import type { OpenIdPerson } from "./provider.ts";

/** What it takes to let people in whom an identity provider knows. */
export interface PeopleOptions {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly sessions: Sessions;
  readonly endings: Endings;
  /** For how long a login confirms somebody's groups, in milliseconds. */
  readonly confirmedFor: number;
}

/**
 * Begins a session of a person whom the identity provider knows, and makes an account for them at their first login. An
 * account is theirs by the provider's name for them alone: never by a login or an address, which others can choose.
 * Rejects with a Problem if the user is disabled.
 */
export async function letIn(
  person: OpenIdPerson,
  { address, userAgent, before }: Visitor,
  { connection, clock, sessions, endings, confirmedFor }: PeopleOptions,
): Promise<OwnSession> {
  return inTransaction(connection, async (transaction) => {
    const now = clock.now();
    const known = await findUserByIdentity(transaction, person);
    if (known?.disabledAt !== null && known !== undefined) {
      throw new Problem("forbidden", "The account is disabled.", {
        advice: "Ask an administrator of the console.",
      });
    }
    const userId = known === undefined ? await addUser(transaction, person, now) : known.id;
    const { issuer, subject, email, groups } = person;
    await linkIdentity(transaction, { issuer, subject, email, userId }, now);
    await updateUser(transaction, userId, person);
    const until = new Date(now + confirmedFor);
    await noteLogin(transaction, { id: userId, groups: { names: groups, until } }, now);
    if (known !== undefined && !hasSameGroups(known, person)) {
      await endings.announce(transaction, userId);
    }
    return sessions.begin(transaction, { userId, method: "oidc", address, userAgent }, before);
  });
}

/** A login that somebody else has gets the provider's host behind it. */
async function addUser(transaction: Connection, person: OpenIdPerson, now: number): Promise<string> {
  const wanted = person.login || person.subject;
  const isTaken = (await findUserByLogin(transaction, wanted)) !== undefined;
  const login = isTaken ? `${wanted} (${new URL(person.issuer).host}, ${person.subject})` : wanted;
  return createUser(transaction, { ...person, login }, now);
}

function hasSameGroups({ groups }: User, person: OpenIdPerson): boolean {
  return JSON.stringify(groups.toSorted()) === JSON.stringify(person.groups.toSorted());
}

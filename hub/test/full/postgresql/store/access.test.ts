import assert from "node:assert/strict";
import { it } from "node:test";
import {
  createApiToken,
  findApiToken,
  listApiTokens,
  revokeApiToken,
  touchApiToken,
} from "../../../../src/store/api-tokens.ts";
import {
  createApprovalRule,
  deleteApprovalRule,
  listApprovalRules,
  needsApproval,
} from "../../../../src/store/approval-rules.ts";
import {
  type AuditFilter,
  addAuditEntry,
  listAudit,
  type NewAuditEntry,
} from "../../../../src/store/audit.ts";
import { useRateLimit } from "../../../../src/store/rate-limits.ts";
import {
  grantRole,
  hasAdministrator,
  listRoles,
  type NewRole,
  revokeRole,
  rolesOf,
} from "../../../../src/store/roles.ts";
import type { Connection } from "../../../../src/store/schema.ts";
import { createSession, findSession, type NewSession } from "../../../../src/store/sessions.ts";
import {
  createUser,
  findUser,
  findUserByLogin,
  listUsers,
  noteLogin,
  setUserDisabled,
  updateUser,
} from "../../../../src/store/users.ts";
import { describeOnBothDatabases, describeOnServer } from "../../../support/databases.ts";
import { addInstance, now } from "../../../support/stored.ts";

const hour = 3_600_000;

describeOnBothDatabases("users", (databases) => {
  it("are changed, and listed by a part of what is known of them", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const ada = await addUser(connection, "ada");
    await addUser(connection, "bob");
    await updateUser(connection, ada, { name: "Ada <b>", email: "ada@example.com" });
    await noteLogin(connection, { id: ada, groups: { names: ["ops"], until: new Date(now + 1) } }, now);
    await noteLogin(connection, { id: ada }, now + 1);
    const page = { sort: "login", descending: false, limit: 1 } as const;

    const { items, next } = await listUsers(connection, {}, page);
    const second = await listUsers(connection, {}, { ...page, cursor: next });
    const found = await listUsers(connection, { search: "EXAMPLE" }, page);

    assert.deepEqual(
      [...items, ...second.items].map(({ login }) => login),
      ["ada", "bob"],
    );
    const { id, name, groups, lastLoginAt } = found.items[0] ?? {};
    assert.deepEqual([id, name, groups, lastLoginAt], [ada, "Ada <b>", ["ops"], new Date(now + 1)]);
    assert.equal(await findUserByLogin(connection, "a\0"), undefined);
  });
});

describeOnBothDatabases("sessions", (databases) => {
  it("don't work while the user is disabled, as tokens don't", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const userId = await addUser(connection, "ada");
    await createSession(connection, session(userId, "1"), now);
    await createApiToken(connection, token(userId, "t"), now);

    await setUserDisabled(connection, { id: userId, disabled: true }, now);
    const disabled = [
      await findSession(connection, { tokenHash: "1" }, now),
      await findApiToken(connection, { tokenHash: "t" }, now),
    ];
    await setUserDisabled(connection, { id: userId, disabled: false }, now);

    assert.deepEqual(disabled, [undefined, undefined]);
    assert.equal((await findSession(connection, { tokenHash: "1" }, now))?.user.id, userId);
    assert.equal((await findUser(connection, userId))?.disabledAt, null);
  });
});

describeOnBothDatabases("API tokens", (databases) => {
  it("work until they expire or are revoked", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const userId = await addUser(connection, "ada");
    const id = await createApiToken(connection, token(userId, "1"), now);
    await createApiToken(connection, { ...token(userId, "2"), expiresAt: new Date(now + hour) }, now + 1);
    await touchApiToken(connection, id, now);

    const found = await findApiToken(connection, { tokenHash: "1" }, now);
    assert.deepEqual([found?.token.scopes, found?.user.login], [["read"], "ada"]);
    assert.equal(await findApiToken(connection, { tokenHash: "2" }, now + hour), undefined);
    assert.deepEqual(
      [await revokeApiToken(connection, id, now), await revokeApiToken(connection, id, now)],
      [true, false],
    );
    assert.equal(await findApiToken(connection, { tokenHash: "1" }, now), undefined);
    assert.deepEqual(
      (await listApiTokens(connection, userId)).map(({ lastUsedAt }) => lastUsedAt),
      [null, new Date(now)],
    );
  });
});

describeOnBothDatabases("roles", (databases) => {
  it("belong to users and groups, and are given once", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const [ada, instanceId] = [await addUser(connection, "ada"), await addInstance(connection, "prod")];
    const first = await grantRole(connection, role({ userId: ada, instanceId, namespace: "shop" }), now);
    const again = await grantRole(connection, role({ userId: ada, instanceId, namespace: "shop" }), now);
    await grantRole(connection, role({ groupName: "ops", role: "administrator" }), now);

    assert.equal(again, first);
    assert.equal((await listRoles(connection)).length, 2);
    assert.deepEqual(await rolesOf(connection, { id: ada, groups: [], groupsUntil: null }, now), [
      { role: "viewer", instanceId, namespace: "shop" },
    ]);
    const member = { id: ada, groups: ["dev", "ops"], groupsUntil: new Date(now + 1) };
    assert.equal((await rolesOf(connection, member, now)).length, 2);
    assert.equal((await rolesOf(connection, member, now + 1)).length, 1);
    assert.equal((await revokeRole(connection, first))?.userId, ada);
    assert.equal(await revokeRole(connection, first), undefined);
    assert.equal((await listRoles(connection)).length, 1);
  });

  it("tell whether there's an administrator", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const ada = await addUser(connection, "ada");
    await grantRole(connection, role({ groupName: "ops", role: "administrator" }), now);

    const before = await hasAdministrator(connection);
    await noteLogin(connection, { id: ada, groups: { names: ["ops"], until: new Date(now + 1) } }, now);
    const after = await hasAdministrator(connection);
    await setUserDisabled(connection, { id: ada, disabled: true }, now);

    assert.deepEqual([before, after, await hasAdministrator(connection)], [false, true, false]);
  });
});

describeOnBothDatabases("approval rules", (databases) => {
  it("say where a second person is needed", async () => {
    await using database = await databases.open();
    const { connection } = database;
    const instanceId = await addInstance(connection, "prod");
    const other = await addInstance(connection, "other");
    const id = await createApprovalRule(connection, { instanceId, namespace: "shop", createdBy: null }, now);
    const needed = (namespaces: readonly string[], of = instanceId): Promise<boolean> =>
      needsApproval(connection, { instanceId: of, namespaces });

    assert.deepEqual(
      [await needed(["shop", "x"]), await needed(["x"]), await needed([]), await needed(["shop"], other)],
      [true, false, true, false],
    );
    await createApprovalRule(connection, { instanceId: null, namespace: null, createdBy: null }, now);
    assert.equal(await needed([], other), true);
    assert.deepEqual(
      [await deleteApprovalRule(connection, id), await deleteApprovalRule(connection, id)],
      [true, false],
    );
    assert.equal((await listApprovalRules(connection)).length, 1);
  });
});

describeOnBothDatabases("rate limits", (databases) => {
  it("permit a burst, and then as much as time brings", async () => {
    await using database = await databases.open();
    const use = (at: number): Promise<number> =>
      useRateLimit(database.connection, { key: "login:ada", limit: { burst: 2, perMinute: 6 } }, now + at);

    assert.deepEqual([await use(0), await use(0)], [0, 0]);
    assert.deepEqual([await use(0), await use(4_000)], [10_000, 6_000]);
    assert.deepEqual([await use(10_000), await use(10_000)], [0, 10_000]);
    assert.equal((await use(-60_000)) > 0, true);
    assert.deepEqual([await use(600_000), await use(600_000)], [0, 0]);
  });
});

describeOnServer("a rate limit of several consoles", (databases) => {
  it("holds for all of them together", async () => {
    const url = await databases.create();
    await using one = await databases.connect(url);
    await using other = await databases.connect(url);

    const waits = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        useRateLimit(
          (index % 2 === 0 ? one : other).connection,
          { key: "k", limit: { burst: 5, perMinute: 1 } },
          now,
        ),
      ),
    );

    assert.equal(waits.filter((wait) => wait === 0).length, 5);
  });
});

describeOnBothDatabases("the audit log", (databases) => {
  it("is listed by who did what, and when", async () => {
    await using database = await databases.open();
    const { connection } = database;
    await addAuditEntry(connection, entry(), now);
    await addAuditEntry(
      connection,
      entry({
        actorId: "bob",
        action: "session.create",
        outcome: "refused",
        instanceId: null,
        subject: "bob\0",
      }),
      now + 1,
    );
    const found = async (filter: AuditFilter): Promise<readonly string[]> => {
      const { items } = await listAudit(connection, filter, { sort: "at", descending: true, limit: 10 });
      return items.map(({ action }) => action);
    };

    assert.deepEqual(await found({}), ["session.create", "workload.release"]);
    assert.deepEqual(await found({ actions: ["workload.release"] }), ["workload.release"]);
    assert.deepEqual(await found({ instanceIds: ["i"] }), ["workload.release"]);
    assert.deepEqual(await found({ from: new Date(now + 1) }), ["session.create"]);
    assert.deepEqual(await found({ to: new Date(now + 1) }), ["workload.release"]);
    assert.deepEqual(await found({ search: "hello rel" }), ["workload.release"]);
  });
});

function addUser(connection: Connection, login: string): Promise<string> {
  return createUser(connection, { login, name: login, email: "", groups: [] }, now);
}

function session(userId: string, tokenHash: string): NewSession {
  const expiresAt = new Date(now + hour);
  return {
    userId,
    tokenHash,
    method: "password",
    address: "::1",
    userAgent: "\0",
    expiresAt,
  };
}

function token(userId: string, tokenHash: string) {
  return {
    userId,
    tokenHash,
    name: "ci",
    scopes: ["read"],
    instanceId: null,
    namespace: null,
    expiresAt: null,
  };
}

function role(changes: Partial<NewRole>): NewRole {
  return {
    userId: null,
    groupName: null,
    instanceId: null,
    namespace: null,
    role: "viewer",
    createdBy: null,
    ...changes,
  };
}

function entry(changes: Partial<NewAuditEntry> = {}): NewAuditEntry {
  return {
    actorKind: "user",
    actorId: "ada",
    actorName: "Ada",
    action: "workload.release",
    outcome: "done",
    instanceId: "i",
    namespace: "default",
    subject: "default:deployment/helloworld",
    detail: { images: ["helloworld:2"] },
    address: "::1",
    ...changes,
  };
}

import assert from "node:assert/strict";
import { it } from "node:test";
import type { Grant } from "../../../../src/access/actor.ts";
import { noteLogin } from "../../../../src/store/users.ts";
import { AccessConsole } from "../../../support/access-console.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { addInstance } from "../../../support/stored.ts";
import type { TestBrowser } from "../../../support/test-browser.ts";

const everything: Grant = { role: "administrator", instanceId: null, namespace: null };
const password = "correct horse battery";

const of = (instanceId: string | null, namespace: string | null = null): Omit<Grant, "role"> => ({
  instanceId,
  namespace,
});

describeOnBothDatabases("roles", (databases) => {
  it("are given and taken only where one is administrator oneself", async () => {
    await using world = await World.start(await databases.open());
    const { prod, other } = world;
    const bob = await world.console.addUser("bob");
    const local = await world.console.user("lea", { ...everything, ...of(prod) });
    const narrow = await world.console.user("nina", { ...everything, ...of(prod, "shop") });
    const add = async (who: TestBrowser, where: Omit<Grant, "role">, to: object = { userId: bob }) =>
      (await who.call("addRole", { body: { ...to, role: "viewer", ...where } })).status;

    assert.deepEqual(
      [
        await add(local, of(prod)),
        await add(local, of(prod, "shop"), { group: "shop" }),
        await add(local, of(other)),
        await add(local, of(null)),
        await add(narrow, of(prod, "shop")),
        await add(narrow, of(prod)),
        await add(narrow, of(prod, "ops")),
        await add(world.admin, of("none")),
        await add(world.admin, of(null, "shop")),
        await add(world.admin, of(null), { userId: "nobody" }),
      ],
      [200, 200, 404, 403, 200, 403, 403, 404, 400, 404],
    );
    const all = (await world.admin.ask("roles")).rows;
    const own = all.find(({ role, instanceId }) => role === "administrator" && instanceId === null);
    assert.equal((await local.call("removeRole", { params: { role: own?.id ?? "" } })).status, 404);
    assert.deepEqual(
      (await narrow.ask("roles")).rows.map(({ namespace }) => namespace),
      ["shop", "shop", "shop"],
    );
  });

  it("name users by their logins, also to those who may not list users", async () => {
    await using world = await World.start(await databases.open());
    const bob = await world.console.addUser("bob");
    const narrow = await world.console.user("nina", { ...everything, ...of(world.prod, "shop") });

    const given = await narrow.ask("addRole", {
      body: { userId: bob, role: "viewer", ...of(world.prod, "shop") },
    });
    await narrow.ask("addRole", { body: { group: "ops", role: "viewer", ...of(world.prod, "shop") } });

    assert.equal((await narrow.call("users")).status, 403);
    assert.equal(given.login, "bob");
    assert.deepEqual(
      new Set((await narrow.ask("roles")).rows.map(({ login, group }) => login ?? `group ${group}`)),
      new Set(["nina", "bob", "group ops"]),
    );
  });

  it("leave an administrator of everything who can log in, also if two take each other's", async () => {
    await using world = await World.start(await databases.open());
    const { admin } = world;
    const roleOf = async (userId: string): Promise<string> =>
      (await admin.ask("roles")).rows.find((role) => role.userId === userId)?.id ?? "";
    const adaId = (await admin.ask("session")).user.id;
    const remove = (who: TestBrowser, role: string) => who.call("removeRole", { params: { role } });
    const disable = (who: TestBrowser, user: string) =>
      who.call("changeUser", { params: { user }, body: { disabled: true } });

    const alone = [(await remove(admin, await roleOf(adaId))).status, (await disable(admin, adaId)).status];
    const eveId = await world.console.addUser("eve", [everything]);
    const eve = await world.console.logIn(eveId);
    const [adas, eves] = [await roleOf(adaId), await roleOf(eveId)];
    const both = await Promise.all([remove(admin, eves), remove(eve, adas)]);

    assert.deepEqual(alone, [422, 422]);
    assert.equal(both.filter(({ status }) => status === 204).length, 1);
  });

  it("come with groups, and go with them", async () => {
    await using world = await World.start(await databases.open());
    const { connection } = world.console.database;
    const bobId = await world.console.addUser("bob");
    const body = { group: "ops", role: "operator", ...of(world.prod) };
    const { id } = await world.admin.ask("addRole", { body });
    const now = world.console.clock.now();
    await noteLogin(connection, { id: bobId, groups: { names: ["ops"], until: new Date(now + 1) } }, now);
    const bob = await world.console.logIn(bobId);

    const before = (await bob.ask("session")).grants;
    await world.admin.ask("removeRole", { params: { role: id } });

    assert.deepEqual(before, [{ role: "operator", ...of(world.prod) }]);
    assert.deepEqual((await bob.ask("session")).grants, []);
  });
});

describeOnBothDatabases("users", (databases) => {
  it("are managed only by administrators of everything", async () => {
    await using world = await World.start(await databases.open());
    const local = await world.console.user("lea", { ...everything, ...of(world.prod) });
    const adaId = (await world.admin.ask("session")).user.id;
    const params = { user: adaId };

    assert.deepEqual(
      [
        (await local.call("resetPassword", { params })).status,
        (await local.call("changeUser", { params, body: { disabled: true } })).status,
        (await local.call("endUserSessions", { params })).status,
        (await local.call("users")).status,
        (await world.admin.call("session")).status,
      ],
      [403, 403, 403, 403, 200],
    );
  });

  it("have their API tokens ended by administrators of everything", async () => {
    await using world = await World.start(await databases.open());
    const bobId = await world.console.addUser("bob", [everything]);
    const bob = await world.console.logIn(bobId);
    const { token, secret } = await bob.ask("createApiToken", { body: { name: "bot", scopes: ["read"] } });
    const headers = { authorization: `Bearer ${secret}` };
    const program = () => world.console.browser().call("instances", { headers });
    const params = { user: bobId, token: token.id };

    const before = [(await world.admin.ask("userTokens", { params })).rows.length, (await program()).status];
    await world.admin.ask("revokeUserToken", { params });
    const again = await world.admin.call("revokeUserToken", { params });

    assert.deepEqual(before, [1, 200]);
    assert.equal((await program()).status, 401);
    assert.deepEqual((await world.admin.ask("userTokens", { params })).rows, []);
    assert.deepEqual(
      [(await world.admin.call("userTokens", { params: { user: "nobody" } })).status, again.status],
      [404, 404],
    );
    const [, entry] = await world.console.audited();
    assert.deepEqual(
      [entry?.action, entry?.subject, entry?.detail],
      ["revokeUserToken", "bob", { token: "bot" }],
    );
  });

  it("get new passwords by a link that works once, and as long as its maker may make it", async () => {
    await using world = await World.start(await databases.open());
    const eveId = await world.console.addUser("eve", [everything]);
    const eve = await world.console.logIn(eveId);
    const bobId = await world.console.addUser("bob");
    const bob = await world.console.logIn(bobId);
    const links = [
      await world.admin.ask("resetPassword", { params: { user: bobId } }),
      await eve.ask("resetPassword", { params: { user: bobId } }),
    ];
    const accept = ({ path }: { readonly path: string } = { path: "" }) =>
      world.console.browser().call("acceptInvitation", { body: { token: path.split("#")[1], password } });

    const accepted = await accept(links[0]);
    const replayed = await accept(links[0]);
    const role = (await world.admin.ask("roles")).rows.find(({ userId }) => userId === eveId);
    await world.admin.ask("removeRole", { params: { role: role?.id ?? "" } });
    const ofDemoted = await accept(links[1]);

    assert.deepEqual([accepted.status, replayed.status, ofDemoted.status], [200, 403, 403]);
    assert.equal((await bob.call("session")).status, 401);
  });
});

describeOnBothDatabases("invitations", (databases) => {
  it("bring no more than their maker has, at their making and at their use", async () => {
    await using world = await World.start(await databases.open());
    const { prod, other } = world;
    const leaId = await world.console.addUser("lea", [{ ...everything, ...of(prod) }]);
    const local = await world.console.logIn(leaId);
    const invite = (grants: readonly object[]) => local.call("invite", { body: { login: "bob", grants } });
    const viewer = { role: "viewer", ...of(prod) };

    const statuses = [
      (await invite([everything])).status,
      (await invite([viewer, { role: "viewer", ...of(other) }])).status,
      (await invite([{ role: "viewer", ...of(null, "shop") }])).status,
    ];
    const link = await invite([viewer]);
    const role = (await world.admin.ask("roles")).rows.find(({ userId }) => userId === leaId);
    await world.admin.ask("removeRole", { params: { role: role?.id ?? "" } });
    const token = link.answer?.path.split("#")[1];
    const accepted = await world.console.browser().call("acceptInvitation", { body: { token, password } });

    assert.deepEqual([...statuses, link.status, accepted.status], [403, 404, 400, 200, 403]);
    assert.deepEqual((await world.admin.ask("users", { query: { q: "bob" } })).rows, []);
  });

  it("are listed, and taken back, by those who could make them", async () => {
    await using world = await World.start(await databases.open());
    const { prod } = world;
    const local = await world.console.user("lea", { ...everything, ...of(prod) });
    const viewer = { role: "viewer", ...of(prod) } as const;
    const adaId = (await world.admin.ask("session")).user.id;
    const ofLea = await local.ask("invite", { body: { login: "bob", grants: [viewer] } });
    await world.console.clock.advance(1);
    const general = await world.admin.ask("invite", { body: { login: "eve", grants: [] } });
    await world.console.clock.advance(1);
    const ofAda = await world.admin.ask("resetPassword", { params: { user: adaId } });
    const listed = async (browser: TestBrowser) =>
      (await browser.ask("invitations")).rows.map(({ purpose, login, createdBy }) =>
        [purpose, login, createdBy].join(" "),
      );

    const lists = [await listed(world.admin), await listed(local)];
    const refused = await local.call("removeInvitation", { params: { invitation: general.id } });
    for (const { id } of [ofLea, ofAda]) {
      await world.admin.ask("removeInvitation", { params: { invitation: id } });
    }
    const taken = (await world.console.audited()).filter(({ action }) => action === "removeInvitation");
    const token = ofLea.path.split("#")[1];
    const accepted = await world.console.browser().call("acceptInvitation", { body: { token, password } });

    assert.deepEqual(lists, [
      ["new-password ada ada", "new-user eve ada", "new-user bob lea"],
      ["new-user bob lea"],
    ]);
    assert.deepEqual([refused.status, accepted.status], [404, 403]);
    assert.deepEqual(await listed(world.admin), ["new-user eve ada"]);
    assert.deepEqual(
      taken.map(({ outcome, subject, detail }) => [outcome, subject, detail]),
      [
        ["done", "ada", { purpose: "new-password" }],
        ["done", "bob", { purpose: "new-user" }],
        ["failed", general.id, { problem: "There's no such link." }],
      ],
    );
  });

  it("go on working after a login that's taken, and name no other than they say", async () => {
    await using world = await World.start(await databases.open());
    const open = await world.admin.ask("invite", {
      body: { grants: [{ role: "viewer", ...of(world.prod) }] },
    });
    const named = await world.admin.ask("invite", { body: { login: "carl", grants: [] } });
    const accept = async ({ path }: { readonly path: string }, login?: string) => {
      const body = { token: path.split("#")[1], password, ...(login === undefined ? {} : { login }) };
      const { status, answer } = await world.console.browser().call("acceptInvitation", { body });
      return [status, answer?.user.login];
    };

    assert.deepEqual(
      [await accept(open, "ADA"), await accept(open), await accept(open, "bob"), await accept(named, "ada")],
      [
        [409, undefined],
        [400, undefined],
        [200, "bob"],
        [200, "carl"],
      ],
    );
  });
});

describeOnBothDatabases("API tokens", (databases) => {
  it("permit at most what their maker may do, at the moment of use", async () => {
    await using world = await World.start(await databases.open());
    const { prod, other } = world;
    const bobId = await world.console.addUser("bob", [{ role: "operator", ...of(prod) }]);
    const bob = await world.console.logIn(bobId);
    const create = (wanted: object) => bob.call("createApiToken", { body: { name: "ci", ...wanted } });
    const refused = [
      (await create({ scopes: ["admin"] })).status,
      (await create({ scopes: ["read"], ...of(other) })).status,
      (await create({ scopes: ["read"], ...of(null, "shop") })).status,
      (await create({ scopes: ["read"], expiresAt: "2020-01-01T00:00:00Z" })).status,
    ];
    const secret = (await create({ scopes: ["write"] })).answer?.secret ?? "";
    const headers = { authorization: `Bearer ${secret}` };
    const names = async () =>
      (await world.console.browser().ask("instances", { headers })).rows.map(({ name }) => name);
    await world.admin.ask("addRole", { body: { userId: bobId, ...everything } });
    const whenMore = await names();
    const invited = await world.console.browser().call("invite", { body: { grants: [everything] }, headers });
    for (const role of (await world.admin.ask("roles")).rows.filter(({ userId }) => userId === bobId)) {
      await world.admin.ask("removeRole", { params: { role: role.id } });
    }
    const whenLess = await world.console.browser().call("instances", { headers });

    assert.deepEqual(refused, [403, 404, 400, 400]);
    assert.deepEqual([whenMore, invited.status, whenLess.status], [["other", "prod"], 403, 403]);
  });

  it("can't make tokens, or end sessions, or change the password", async () => {
    await using world = await World.start(await databases.open());
    const { secret, token } = await world.admin.ask("createApiToken", {
      body: { name: "ci", scopes: ["admin"] },
    });
    const headers = { authorization: `Bearer ${secret}` };
    const program = world.console.browser();
    const [own] = (await world.admin.ask("ownSessions")).rows;

    const statuses = [
      await program.call("createApiToken", { body: { name: "more", scopes: ["admin"] }, headers }),
      await program.call("revokeApiToken", { params: { token: token.id }, headers }),
      await program.call("endSession", { params: { session: own?.id ?? "" }, headers }),
      await program.call("changePassword", { body: { current: password, next: password }, headers }),
      await program.call("session", { headers }),
      await program.call("invite", { body: { grants: [] }, headers }),
    ].map(({ status }) => status);

    assert.deepEqual(statuses, [403, 403, 403, 403, 403, 200]);
    assert.equal((await world.console.audited())[0]?.actorName, "ada (token ci)");
  });

  it("end at once, and only by their maker", async () => {
    await using world = await World.start(await databases.open());
    const { secret, token } = await world.admin.ask("createApiToken", {
      body: { name: "ci", scopes: ["read"] },
    });
    const eve = await world.console.user("eve", everything);
    const headers = { authorization: `Bearer ${secret}` };
    const program = world.console.browser();
    const stream = (await program.fetch("/api/console/v1/stream", { headers })).text();
    const params = { token: token.id };

    const before = (await world.admin.ask("apiTokens")).rows.length;
    const tried = (await eve.call("revokeApiToken", { params })).status;
    await world.admin.ask("revokeApiToken", { params });
    await stream;

    assert.deepEqual([before, tried, (await world.admin.ask("apiTokens")).rows.length], [1, 404, 0]);
    assert.equal((await program.call("instances", { headers })).status, 401);
    assert.doesNotMatch(JSON.stringify(await world.console.audited()), /wct_/);
  });
});

describeOnBothDatabases("what only administrators see", (databases) => {
  it("is limited to where they are", async () => {
    await using world = await World.start(await databases.open());
    const { prod, other } = world;
    const local = await world.console.user("lea", { ...everything, ...of(prod) });
    const rules = [of(null), of(prod), of(prod, "shop"), of(other)];
    for (const body of rules) {
      await world.console.clock.advance(1);
      await world.admin.ask("addApprovalRule", { body });
    }

    const seen = (await local.ask("approvalRules")).rows;
    const audited = (await local.ask("audit")).rows;
    const all = (await world.admin.ask("approvalRules")).rows;

    assert.deepEqual(
      seen.map(({ instanceId, namespace }) => of(instanceId, namespace)),
      [of(prod), of(prod, "shop")],
    );
    assert.deepEqual(
      audited.map(({ action, instanceId }) => [action, instanceId]),
      [
        ["addApprovalRule", prod],
        ["addApprovalRule", prod],
      ],
    );
    assert.equal((await world.admin.ask("audit", { query: { action: "addApprovalRule" } })).rows.length, 4);
    assert.deepEqual(
      [
        (await local.call("removeApprovalRule", { params: { rule: all[0]?.id ?? "" } })).status,
        (await local.call("removeApprovalRule", { params: { rule: all[1]?.id ?? "" } })).status,
        (await local.call("addApprovalRule", { body: of(other) })).status,
        (await local.call("addApprovalRule", { body: of(null) })).status,
      ],
      [404, 204, 404, 403],
    );
  });

  it("is nothing for others", async () => {
    await using world = await World.start(await databases.open());
    const bob = await world.console.user("bob", { role: "operator", ...of(null) });
    const calls = ["users", "roles", "approvalRules", "audit", "invitations"] as const;

    const statuses = await Promise.all(calls.map(async (name) => (await bob.call(name)).status));

    assert.deepEqual(statuses, [403, 403, 403, 403, 403]);
  });
});

describeOnBothDatabases("the audit log", (databases) => {
  it("names what was changed, without values that can be secret", async () => {
    await using world = await World.start(await databases.open());
    const bobId = await world.console.addUser("bob");
    const body = { name: "chat", settings: { url: "https://chat.example.com/s3cret" } };

    await world.admin.ask("changeUser", { params: { user: bobId }, body: { disabled: true } });
    await world.admin.fetch("/api/console/v1/notifications/channels/c1", {
      method: "PATCH",
      headers: { "x-csrf-token": world.admin.csrfToken, "content-type": "application/json" },
      body: JSON.stringify(body),
    });

    const [channel, user] = await world.console.audited();
    assert.deepEqual(user?.detail, { changed: ["disabled"], disabled: true });
    assert.equal(channel?.action, "changeChannel");
    assert.deepEqual(channel.detail, { changed: ["name", "settings"] });
  });
});

describeOnBothDatabases("requests", (databases) => {
  it("of one session or token are limited, and so are those of strangers", async () => {
    await using world = await World.start(await databases.open(), {
      limits: { requests: { burst: 5, perMs: 1_000 } },
    });
    const stranger = world.console.browser();
    const many = async (browser: TestBrowser) => {
      const answers = await Promise.all(Array.from({ length: 6 }, () => browser.call("about")));
      return answers.filter(({ status }) => status === 429);
    };
    await world.console.clock.advance(10_000);

    const [ofStranger, ofAda] = [await many(stranger), await many(world.admin)];

    assert.deepEqual([ofStranger.length, ofAda.length], [1, 1]);
    assert.equal(ofAda[0]?.headers.get("retry-after"), "1");
  });

  it("come from where a trusted proxy says, and nobody else", async () => {
    const addressWith = async (trustedProxies: readonly string[]) => {
      await using world = await World.start(await databases.open(), { trustedProxies });
      const headers = { "x-forwarded-for": "203.0.113.9, 192.0.2.7, 127.0.0.3" };
      await world.admin.call("invite", { body: { grants: [] }, headers });
      return (await world.console.audited())[0]?.address;
    };

    assert.deepEqual(
      [await addressWith(["127.0.0.0/8"]), await addressWith([]), await addressWith(["10.1.2.3"])],
      ["192.0.2.7", "127.0.0.1", "127.0.0.1"],
    );
  });
});

/** A console with two instances and an administrator. */
class World implements AsyncDisposable {
  readonly console: AccessConsole;
  readonly admin: TestBrowser;
  readonly prod: string;
  readonly other: string;
  readonly #cleanup: AsyncDisposableStack;

  private constructor(
    { console, admin, prod, other }: Pick<World, "console" | "admin" | "prod" | "other">,
    cleanup: AsyncDisposableStack,
  ) {
    this.console = console;
    this.admin = admin;
    this.prod = prod;
    this.other = other;
    this.#cleanup = cleanup;
  }

  static async start(...[database, options]: Parameters<typeof AccessConsole.start>): Promise<World> {
    const cleanup = new AsyncDisposableStack();
    cleanup.use(database);
    const console = cleanup.use(await AccessConsole.start(database, options));
    const prod = await addInstance(database.connection, "prod");
    const other = await addInstance(database.connection, "other");
    const admin = await console.user("ada", everything);
    return new World({ console, admin, prod, other }, cleanup);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cleanup.disposeAsync();
  }
}

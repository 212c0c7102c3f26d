import assert from "node:assert/strict";
import { it } from "node:test";
import { until } from "@weir/testing";
import type { Database } from "../../../../src/store/database.ts";
import { AccessConsole } from "../../../support/access-console.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { IdentityProvider } from "../../../support/identity-provider.ts";
import { TestBrowser } from "../../../support/test-browser.ts";

const day = 86_400_000;

describeOnBothDatabases("logging in at an identity provider", (databases) => {
  it("makes an account at first, and brings the roles of the groups", async () => {
    await using world = await World.start(await databases.open());
    const admin = await world.console.user("admin", {
      role: "administrator",
      instanceId: null,
      namespace: null,
    });
    const role = { role: "operator", instanceId: null, namespace: null } as const;
    await admin.ask("addRole", { body: { ...role, group: "ops" } });
    const browser = world.console.browser();

    const back = await world.logIn(browser, "/instances?q=prod");
    const first = await browser.ask("session");
    world.provider.people.set("1", { preferred_username: "ada", name: "Ada L", groups: [] });
    const other = world.console.browser();
    await world.logIn(other, "/");
    const second = await other.ask("session");

    assert.equal(back, "/instances?q=prod");
    assert.deepEqual([first.user.login, first.user.name, first.grants], ["ada", "Ada", [role]]);
    assert.deepEqual([second.user.id, second.user.name, second.grants], [first.user.id, "Ada L", []]);
    assert.deepEqual((await browser.ask("session")).grants, []);
    assert.deepEqual(
      (await browser.ask("ownSessions")).rows.map(({ method }) => method),
      ["oidc", "oidc"],
    );
    const { openId } = await browser.ask("loginOptions");
    assert.deepEqual(openId, { name: "Example ID", path: "/auth/openid/start" });
    const logins = (await world.console.audited()).filter(({ action }) => action === "logIn");
    assert.deepEqual(
      logins.map(({ actorName, outcome, detail }) => [actorName, outcome, detail]),
      [
        ["ada", "done", { method: "openid" }],
        ["ada", "done", { method: "openid" }],
      ],
    );
  });

  it("makes groups count for a day, also for tokens without an end", async () => {
    await using world = await World.start(await databases.open());
    const everywhere = { instanceId: null, namespace: null } as const;
    const admin = await world.console.user("admin", { role: "administrator", ...everywhere });
    await admin.ask("addRole", { body: { role: "operator", ...everywhere, group: "ops" } });
    const browser = world.console.browser();
    await world.logIn(browser, "/");
    const { user } = await browser.ask("session");
    await admin.ask("addRole", { body: { role: "viewer", ...everywhere, userId: user.id } });
    const wanted = { name: "pipeline", scopes: ["write"], ...everywhere, expiresAt: null };
    const { secret } = await browser.ask("createApiToken", { body: wanted });
    const watching = await world.console.access.gate.tokenOf(secret);
    assert.ok(watching);
    let hasEnded = false;
    const ended = world.console.access.endings
      .ended(watching.actor, AbortSignal.timeout(60_000))
      .then(() => (hasEnded = true));
    const rolesOfToken = async () =>
      (await world.console.access.gate.tokenOf(secret))?.actor.grants.map(({ role }) => role).sort();

    const before = await rolesOfToken();
    for (let hour = 0; hour < 23; hour += 1) {
      await world.console.clock.advance(3_600_000);
      assert.equal((await browser.call("session")).status, 200);
    }
    await until("the end of what the token watches", async () => {
      await world.console.clock.advance(3_600_000);
      return hasEnded;
    });
    await ended;
    const after = await rolesOfToken();
    const session = await browser.call("session");
    await world.logIn(browser, "/");

    assert.deepEqual([before, after, session.status], [["operator", "viewer"], ["viewer"], 401]);
    assert.deepEqual(await rolesOfToken(), ["operator", "viewer"]);
  });

  it("takes nobody else's account, whatever the provider calls them", async () => {
    await using world = await World.start(await databases.open());
    const adaId = await world.console.addUser("ada");
    const browser = world.console.browser();

    await world.logIn(browser, "/");

    const { user } = await browser.ask("session");
    assert.notEqual(user.id, adaId);
    assert.equal(user.login, `ada (${world.provider.issuer.host}, 1)`);
  });

  it("leads nowhere but back to the console", async () => {
    await using world = await World.start(await databases.open());

    for (const back of ["https://evil.example.com/", "//evil.example.com/", "/\\evil.example.com"]) {
      assert.equal(await world.logIn(world.console.browser(), back), "/");
    }
  });

  it("is ended once, by the browser that began it, and in time", async () => {
    await using world = await World.start(await databases.open());
    const [browser, victim] = [world.console.browser(), world.console.browser()];
    const callback = await world.toCallback(browser, "/");
    const another = await world.toCallback(browser, "/");
    const forged = new URL(another);
    forged.searchParams.set("state", "x");
    const late = await world.toCallback(browser, "/");
    const finish = async (who: TestBrowser, url: URL) =>
      (await who.fetch(url.href)).headers.get("location")?.replace(world.console.url, "");

    const ends = [
      await finish(browser, callback),
      await finish(browser, callback),
      await finish(victim, another),
      await finish(browser, another),
      await finish(browser, forged),
    ];
    await world.console.clock.advance(600_000);
    ends.push(await finish(browser, late));

    assert.deepEqual(ends, ["/", ...Array.from({ length: 5 }, () => "/?login=expired")]);
    assert.equal(victim.cookies.has("weir-session"), false);
    const outcomes = (await world.console.audited()).map(({ outcome }) => outcome);
    assert.deepEqual(outcomes, [...Array.from({ length: 5 }, () => "refused"), "done"]);
  });

  it("takes no code that belongs to another login", async () => {
    await using world = await World.start(await databases.open());
    const browser = world.console.browser();
    const one = await world.toCallback(browser, "/");
    const other = await world.toCallback(browser, "/");
    other.searchParams.set("code", one.searchParams.get("code") ?? "");

    const response = await browser.fetch(other.href);

    assert.equal(response.headers.get("location"), `${world.console.url}/?login=failed`);
    assert.equal(browser.cookies.has("weir-session"), false);
  });

  it("says on the login page why it failed, and keeps the rest for the log", async () => {
    await using world = await World.start(await databases.open());
    const browser = world.console.browser();
    world.provider.next = undefined;
    const denied = await world.logIn(browser, "/");
    world.provider.next = "1";
    await world.logIn(browser, "/");
    const { user } = await browser.ask("session");
    const admin = await world.console.user("admin", {
      role: "administrator",
      instanceId: null,
      namespace: null,
    });
    await admin.ask("changeUser", { params: { user: user.id }, body: { disabled: true } });
    const disabled = await world.logIn(browser, "/");
    await using elsewhere = await AccessConsole.start(world.console.database, {
      openId: { ...world.openId, issuer: new URL("https://127.0.0.1:9") },
    });
    const response = await elsewhere.browser().fetch("/auth/openid/start");

    assert.deepEqual([denied, disabled], ["/?login=denied", "/?login=disabled"]);
    assert.equal(response.headers.get("location"), `${elsewhere.url}/?login=unavailable`);
    assert.match(elsewhere.log.lines.join("\n"), /a login at the identity provider failed/);
    assert.equal((await browser.call("session")).status, 401);
  });

  it("tells a login that couldn't be done from one that was refused, in the audit log", async () => {
    await using world = await World.start(await databases.open());
    const { schema } = world.console.database.connection;
    const [refused, broken] = [world.console.browser(), world.console.browser()];
    world.provider.next = undefined;
    const first = await world.logIn(refused, "/");
    world.provider.next = "1";
    const callback = await world.toCallback(broken, "/");
    await schema.alterTable("users").renameTo("gone").execute();

    const second = await broken.fetch(callback.href);

    await schema.alterTable("gone").renameTo("users").execute();
    assert.deepEqual(
      [first, second.headers.get("location")],
      ["/?login=denied", `${world.console.url}/?login=failed`],
    );
    assert.deepEqual(
      (await world.console.audited()).map(({ outcome, detail }) => [outcome, detail]).reverse(),
      [
        ["refused", { method: "openid", problem: "denied" }],
        ["failed", { method: "openid", problem: "failed" }],
      ],
    );
    assert.match(world.console.log.lines.join("\n"), /a login at the identity provider failed/);
  });

  it("lets nobody in of whom the audit log can't say so", async () => {
    await using world = await World.start(await databases.open());
    const browser = world.console.browser();
    await world.console.database.connection.schema.dropTable("audit").cascade().execute();

    const to = await world.logIn(browser, "/");

    assert.deepEqual([to, browser.cookies.has("weir-session")], ["/?login=failed", false]);
    assert.deepEqual(await world.console.database.connection.selectFrom("users").selectAll().execute(), []);
    assert.match(world.console.log.lines.join("\n"), /cannot write to the audit log.*logIn/);
  });

  it("stores nothing with which somebody could end it", async () => {
    await using world = await World.start(await databases.open());
    const browser = world.console.browser();
    const callback = await world.toCallback(browser, "/");

    const rows = await world.console.database.connection.selectFrom("oidcLogins").selectAll().execute();

    assert.equal(rows.length, 1);
    const stored = JSON.stringify(rows);
    const secrets = [callback.searchParams.get("state"), browser.cookies.get("weir-login")];
    assert.deepEqual(
      secrets.map((secret) => stored.includes(secret ?? "")),
      [false, false],
    );
  });

  it("ends at the provider too", async () => {
    await using world = await World.start(await databases.open());
    const browser = world.console.browser();
    await world.logIn(browser, "/");
    const { logoutPath = "" } = await browser.ask("session");
    await browser.ask("logOut");

    const to = new URL((await browser.fetch(logoutPath)).headers.get("location") ?? "");

    assert.equal(to.origin, world.provider.issuer.origin);
    assert.equal(to.searchParams.get("post_logout_redirect_uri"), `${world.console.url}/`);
    const page = await world.atProvider.fetch(to.href);
    assert.equal(page.status, 200);
    assert.equal((await browser.call("session")).status, 401);
  });
});

/** A console at whose identity provider Ada logs in, who is in the group ops. */
class World implements AsyncDisposable {
  readonly console: AccessConsole;
  readonly provider: IdentityProvider;
  /** The same person's browser, with the cookies of the provider. */
  atProvider: TestBrowser;
  readonly #cleanup: AsyncDisposableStack;

  private constructor(
    { console, provider }: Pick<World, "console" | "provider">,
    cleanup: AsyncDisposableStack,
  ) {
    this.console = console;
    this.provider = provider;
    this.atProvider = new TestBrowser(provider.issuer.href);
    this.#cleanup = cleanup;
  }

  static async start(database: Database): Promise<World> {
    const cleanup = new AsyncDisposableStack();
    cleanup.use(database);
    const provider = cleanup.use(await IdentityProvider.start());
    const console = cleanup.use(await AccessConsole.start(database, { openId: openIdOf(provider) }));
    provider.serve(console.url);
    provider.people.set("1", { preferred_username: "ada", name: "Ada", email: "a@x.org", groups: ["ops"] });
    return new World({ console, provider }, cleanup);
  }

  get openId() {
    return openIdOf(this.provider);
  }

  /** Logs somebody in; resolves to the path on the console where they end. */
  async logIn(browser: TestBrowser, back: string): Promise<string> {
    const callback = await this.toCallback(browser, back);
    const response = await browser.fetch(callback.href);
    assert.equal(response.status, 302);
    const to = new URL(response.headers.get("location") ?? "");
    assert.equal(to.origin, this.console.url);
    return `${to.pathname}${to.search}`;
  }

  /** Begins a login and does what the provider wants; resolves to the URL at which the console ends it. */
  async toCallback(browser: TestBrowser, back: string): Promise<URL> {
    this.atProvider = new TestBrowser(this.provider.issuer.href);
    const start = await browser.fetch(`/auth/openid/start?${new URLSearchParams({ back }).toString()}`);
    let url = new URL(start.headers.get("location") ?? "");
    while (url.origin === this.provider.issuer.origin) {
      const response = await this.atProvider.fetch(url.href);
      url = new URL(response.headers.get("location") ?? assert.fail(await response.text()), url);
    }
    return url;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cleanup.disposeAsync();
  }
}

function openIdOf({ issuer, clientId, clientSecret }: IdentityProvider) {
  return {
    issuer,
    clientId,
    clientSecret,
    name: "Example ID",
    groupsClaim: "groups",
    scopes: [],
    confirmedFor: day,
  };
}

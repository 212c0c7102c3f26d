import assert from "node:assert/strict";
import { it } from "node:test";
import { until } from "@weir/testing";
import type { Grant } from "../../../../src/access/actor.ts";
import { setUserDisabled } from "../../../../src/store/users.ts";
import { AccessConsole } from "../../../support/access-console.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";

const everything: Grant = { role: "administrator", instanceId: null, namespace: null };
const hour = 3_600_000;
const password = "correct horse battery";

describeOnBothDatabases("the first administrator", (databases) => {
  it("comes in by a link that is logged as long as nobody is it, and works once", async () => {
    await using database = await databases.open();
    await using console = await AccessConsole.start(database);
    const stop = new AbortController();
    const inviting = console.access.inviteFirstAdministrator(stop.signal);
    const again = console.access.inviteFirstAdministrator(stop.signal);
    await until("the first links", () => console.log.lines.length === 2);
    await console.clock.advance(24 * hour);
    await until("the next links", () => console.log.lines.length === 4);
    const links = console.log.lines.map((line) => /\/invitation#(wcv_[\w-]+)/.exec(line)?.[1] ?? "");
    const [expired = "", , valid = "", other = ""] = links;
    const browser = console.browser();
    const accept = (token: string) =>
      browser.call("acceptInvitation", { body: { token, login: "ada", name: "Ada", password } });

    assert.equal((await browser.ask("loginOptions")).firstAdministrator, true);
    assert.equal((await accept(expired)).status, 403);
    const accepted = await accept(valid);
    browser.cookies.clear();
    browser.csrfToken = "";
    const replayed = [await accept(valid), await accept(other)];

    assert.deepEqual(accepted.answer?.grants, [everything]);
    assert.deepEqual(
      replayed.map(({ status, problem }) => [status, problem]),
      [
        [403, "This link doesn't work any more."],
        [403, "This link doesn't work any more."],
      ],
    );
    assert.equal((await browser.ask("loginOptions")).firstAdministrator, false);
    assert.equal((await browser.call("session")).status, 401);
    assert.equal(
      (await browser.call("logIn", { body: { login: "ADA", password } })).answer?.user.name,
      "Ada",
    );
    await console.clock.advance(24 * hour);
    await Promise.all([inviting, again]);
    assert.equal(console.log.lines.length, 4);
    const audited = await console.audited();
    assert.deepEqual(
      audited.map(({ action, outcome, actorName }) => `${action} ${outcome} ${actorName}`),
      [
        "logIn done ada",
        "acceptInvitation refused ",
        "acceptInvitation refused ",
        "acceptInvitation done ada",
        "acceptInvitation refused ",
      ],
    );
    assert.doesNotMatch(JSON.stringify(audited), /wcv_|correct horse/);
  });
});

describeOnBothDatabases("logging in with a password", (databases) => {
  it("says the same for a wrong password, a user who doesn't exist, and one who is disabled", async () => {
    await using database = await databases.open();
    await using console = await AccessConsole.start(database);
    const admin = await console.user("ada", everything);
    const link = await admin.ask("invite", { body: { login: "bob", grants: [] } });
    const [, token] = link.path.split("#");
    const bob = console.browser();
    const { user } = await bob.ask("acceptInvitation", { body: { token, password } });
    const logIn = (login: string, given: string) =>
      console.browser().call("logIn", { body: { login, password: given } });
    const right = await logIn("bob", password);
    await admin.ask("changeUser", { params: { user: user.id }, body: { disabled: true } });

    const answers = [
      await logIn("bob", "wrong"),
      await logIn("bob", password),
      await logIn("nobody", password),
      await logIn("ada", password),
    ];

    assert.equal(right.status, 200);
    assert.deepEqual(
      new Set(answers.map(({ status, problem }) => `${status} ${problem}`)),
      new Set(["401 The name or the password is wrong."]),
    );
    const subjects = (await console.audited()).filter(({ action }) => action === "logIn");
    assert.deepEqual(
      subjects.map(({ outcome, subject }) => [outcome, subject]),
      [
        ["refused", "ada"],
        ["refused", ""],
        ["refused", "bob"],
        ["refused", "bob"],
        ["done", "bob"],
      ],
    );
  });

  it("is limited by address and by name, and says when to try again", async () => {
    await using database = await databases.open();
    await using console = await AccessConsole.start(database, {
      trustedProxies: ["127.0.0.1"],
      hasPasswords: true,
      limits: {
        loginsOfAddress: { burst: 2, perMinute: 1 },
        loginsOfAccount: { burst: 3, perMinute: 1 },
      },
    });
    const logIn = async (login: string, address: string) => {
      const sent = { body: { login, password: "wrong" }, headers: { "x-forwarded-for": address } };
      const { status, headers } = await console.browser().call("logIn", sent);
      return [status, headers.get("retry-after")];
    };

    const statuses = [
      await logIn("a", "192.0.2.1"),
      await logIn("b", "192.0.2.1"),
      await logIn("c", "192.0.2.1"),
      await logIn("a", "2001:db8::1"),
      await logIn("A", "2001:db8::2"),
      await logIn("b", "2001:db8:0:0:ffff::"),
      await logIn("a", "192.0.2.2"),
    ];

    assert.deepEqual(statuses, [
      [401, null],
      [401, null],
      [429, "60"],
      [401, null],
      [401, null],
      [429, "60"],
      [429, "60"],
    ]);
    assert.equal((await console.audited())[0]?.outcome, "refused");
  });
});

describeOnBothDatabases("a session", (databases) => {
  it("gets a new secret when somebody logs in, and the one before ends", async () => {
    await using database = await databases.open();
    await using console = await AccessConsole.start(database);
    const admin = await console.user("ada", everything);
    const { path } = await admin.ask("invite", { body: { login: "bob", grants: [] } });
    const fixed = `wcs_${"A".repeat(43)}`;
    const browser = console.browser();
    browser.cookies.set("weir-session", fixed);

    await browser.ask("acceptInvitation", { body: { token: path.split("#")[1], password } });
    const first = browser.cookies.get("weir-session") ?? "";
    await browser.ask("logIn", { body: { login: "bob", password } });
    const second = browser.cookies.get("weir-session") ?? "";

    assert.equal(new Set([fixed, first, second]).size, 3);
    browser.cookies.set("weir-session", first);
    assert.equal((await browser.call("session")).status, 401);
    browser.cookies.set("weir-session", second);
    assert.equal((await browser.ask("ownSessions")).rows.length, 1);
  });

  it("lasts while it's used, but not for ever", async () => {
    await using database = await databases.open();
    await using console = await AccessConsole.start(database, {
      sessionLimits: { idle: 2 * hour, absolute: 5 * hour },
    });
    const browser = await console.user("ada");
    const expiresAt = async (): Promise<number> => {
      const { answer } = await browser.call("session");
      return answer === undefined ? 0 : (Date.parse(answer.expiresAt) - began) / hour;
    };
    const began = console.clock.now();

    const seen = [await expiresAt()];
    for (const hours of [1.5, 1.5, 1.5, 0.5]) {
      await console.clock.advance(hours * hour);
      seen.push(await expiresAt());
    }

    assert.deepEqual(seen, [2, 3.5, 5, 5, 0]);
    const other = await console.logIn(await console.addUser("bob"));
    await console.clock.advance(2 * hour);
    assert.equal((await other.call("session")).status, 401);
  });

  it("changes nothing without its CSRF token, or for another site", async () => {
    await using database = await databases.open();
    await using console = await AccessConsole.start(database);
    const [browser, other] = [await console.user("ada", everything), await console.user("eve")];
    const invite = (headers: Readonly<Record<string, string>>) =>
      browser.call("invite", { body: { grants: [] }, headers });
    const own = browser.csrfToken;

    const statuses = [
      (await invite({ "x-csrf-token": other.csrfToken })).status,
      (await invite({ "x-csrf-token": "" })).status,
      (await invite({ "x-csrf-token": own, "sec-fetch-site": "same-site" })).status,
      (await invite({ "x-csrf-token": own, "sec-fetch-site": "same-origin" })).status,
    ];
    const foreign = await console
      .browser()
      .call("logIn", { body: { login: "a", password }, headers: { "sec-fetch-site": "cross-site" } });

    assert.deepEqual(statuses, [403, 403, 403, 200]);
    assert.equal(foreign.status, 403);
    assert.deepEqual(
      (await console.audited()).map(({ action, outcome }) => `${action} ${outcome}`),
      ["logIn refused", "invite done", "invite refused", "invite refused", "invite refused"],
    );
  });

  it("ends with the password, at once and everywhere, and is listed until then", async () => {
    await using database = await databases.open();
    await using console = await AccessConsole.start(database);
    const admin = await console.user("ada", everything);
    const { path } = await admin.ask("invite", { body: { login: "bob", grants: [] } });
    const bob = console.browser();
    const { user } = await bob.ask("acceptInvitation", { body: { token: path.split("#")[1], password } });
    const elsewhere = await console.logIn(user.id);
    const stream = await elsewhere.fetch("/api/console/v1/stream");
    const change = (current: string) =>
      bob.call("changePassword", { body: { current, next: `${password}!` } });

    const wrong = await change("wrong password");
    const listed = (await bob.ask("ownSessions")).rows.map(({ current }) => current);
    const right = await change(password);
    await stream.text();

    assert.deepEqual([wrong.status, right.status], [403, 204]);
    assert.deepEqual(listed.toSorted(), [false, true]);
    assert.equal((await elsewhere.call("session")).status, 401);
    assert.equal((await bob.ask("ownSessions")).rows.length, 1);
    await bob.ask("logOut");
    assert.deepEqual([...bob.cookies], []);
    assert.equal((await bob.call("logIn", { body: { login: "bob", password } })).status, 401);
    assert.equal((await bob.call("logIn", { body: { login: "bob", password: `${password}!` } })).status, 200);
    assert.doesNotMatch(JSON.stringify(await console.audited()), /wcs_|correct horse|wrong password/);
  });

  it("of others can't be ended", async () => {
    await using database = await databases.open();
    await using console = await AccessConsole.start(database);
    const [ada, eve] = [await console.user("ada"), await console.user("eve")];
    const [own] = (await ada.ask("ownSessions")).rows;

    const tried = await eve.call("endSession", { params: { session: own?.id ?? "" } });
    const ended = await ada.call("endSession", { params: { session: own?.id ?? "" } });

    assert.deepEqual([tried.status, ended.status, (await ada.call("session")).status], [404, 204, 401]);
  });
});

describeOnBothDatabases("a stream", (databases) => {
  it("ends at once when its session ends, its user is disabled, or roles change", async () => {
    await using database = await databases.open();
    await using console = await AccessConsole.start(database);
    const admin = await console.user("ada", everything);
    const bobId = await console.addUser("bob");
    const open = async () => {
      const browser = await console.logIn(bobId);
      return { browser, ended: (await browser.fetch("/api/console/v1/stream")).text() };
    };
    const first = await open();
    await first.browser.ask("logOut");
    await first.ended;
    const second = await open();
    const role = await admin.ask("addRole", {
      body: { userId: bobId, role: "viewer", instanceId: null, namespace: null },
    });
    await second.ended;
    const third = await open();
    await admin.ask("removeRole", { params: { role: role.id } });
    await third.ended;
    const fourth = await open();
    await admin.ask("endUserSessions", { params: { user: bobId } });
    await fourth.ended;
    const fifth = await open();
    await admin.ask("changeUser", { params: { user: bobId }, body: { disabled: true } });
    await fifth.ended;

    assert.equal((await fifth.browser.call("session")).status, 401);
  });

  it("ends when its session expires, and when something was missed", async () => {
    await using database = await databases.open();
    await using console = await AccessConsole.start(database, { sessionLimits: { idle: 100_000 } });
    const bobId = await console.addUser("bob");
    const browser = await console.logIn(bobId);
    const expiring = (await browser.fetch("/api/console/v1/stream")).text();
    await console.clock.sleeping(100_000);
    await console.clock.advance(100_000);
    await expiring;
    const other = await console.logIn(bobId);
    const watching = (await other.fetch("/api/console/v1/stream")).text();
    await console.clock.sleeping(100_000);

    await setUserDisabled(database.connection, { id: bobId, disabled: true }, console.clock.now());
    console.missMessages();
    await watching;
  });
});

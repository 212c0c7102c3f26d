import assert from "node:assert/strict";
import { after, it } from "node:test";
import { systemClock } from "@weir/base";
import { createTransport } from "@weir/http";
import { Channels } from "../../../src/notify/channels.ts";
import { Courier } from "../../../src/notify/courier.ts";
import { dispatchEvents } from "../../../src/notify/dispatch.ts";
import { channelHandlers } from "../../../src/operations/channels.ts";
import { ruleHandlers } from "../../../src/operations/rules.ts";
import { SecretBox } from "../../../src/secret-box/secret-box.ts";
import type { Database } from "../../../src/store/database.ts";
import { addEvents } from "../../../src/store/events.ts";
import { createUser } from "../../../src/store/users.ts";
import { describeOnBothDatabases } from "../../support/databases.ts";
import { RestCaller } from "../../support/rest-caller.ts";
import { slackStandIn } from "../../support/service-stand-ins.ts";
import { addConnectedInstance, now } from "../../support/stored.ts";

const transport = createTransport({ connections: 2 });
after(() => transport.close());

const secretPath = "/services/T1/B1/secret-of-webhook";

async function administratorOf(database: Database, instanceId: string | null = null) {
  const { connection } = database;
  const network = { transport, privateHosts: ["127.0.0.1"], clock: systemClock };
  const channels = new Channels({
    database,
    courier: new Courier(network),
    box: new SecretBox([Buffer.alloc(32, 1)]),
    clock: systemClock,
  });
  const userId = await createUser(connection, { login: "ada", name: "Ada", email: "", groups: [] }, now);
  const grants = [{ role: "administrator", instanceId, namespace: null }] as const;
  const actor = { kind: "user", userId, credentialId: "s", name: "ada", grants } as const;
  return new RestCaller(
    { ...channelHandlers(channels), ...ruleHandlers({ connection, channels, clock: systemClock }) },
    actor,
  );
}

describeOnBothDatabases("notifications in the REST API", (databases) => {
  it("are for administrators of everything, because they take events of every instance elsewhere", async () => {
    await using database = await databases.open();
    const api = await administratorOf(database, "prod");
    const settings = { url: "https://hooks.example.com/" };
    const body = { name: "ops", kind: "webhook", settings };

    for (const call of [
      () => api.call("channels"),
      () => api.call("createChannel", { body }),
      () => api.call("changeChannel", { path: { channel: "c1" }, body: { enabled: false } }),
      () => api.call("removeChannel", { path: { channel: "c1" } }),
      () => api.call("rules"),
      () => api.call("deliveries"),
    ]) {
      await assert.rejects(call(), { name: "Problem", kind: "forbidden" });
    }
  });

  it("take the secrets of a channel, use them, and never answer them", async () => {
    await using database = await databases.open();
    await using slack = await slackStandIn();
    const api = await administratorOf(database);
    const settings = { url: `${slack.url}${secretPath}` };

    const made = await api.call("createChannel", { body: { name: "ops", kind: "slack-webhook", settings } });
    const path = { channel: made.id };
    const renamed = await api.call("changeChannel", { path, body: { name: "on call", enabled: false } });
    const tested = await api.call("testChannel", { path });
    const { rows } = await api.call("channels");

    assert.deepEqual(
      [made.hasSecret, made.enabled, renamed.name, renamed.enabled],
      [true, true, "on call", false],
    );
    assert.deepEqual([tested.delivered, slack.received.length], [true, 1]);
    assert.deepEqual(rows, [renamed]);
    assert.ok(!JSON.stringify([made, renamed, tested, rows]).includes("secret-of-webhook"));
    await api.call("removeChannel", { path });
    assert.deepEqual((await api.call("channels")).rows, []);
    await assert.rejects(api.call("testChannel", { path }), { name: "Problem", kind: "not-found" });
  });

  it("leave in the audit log which settings of a channel changed, but not how", async () => {
    await using database = await databases.open();
    const api = await administratorOf(database);
    const mail = { host: "mail.example.com", user: "weir", password: "s3cret", from: "weir@example.com" };
    const settings = { ...mail, to: ["ops@example.com"] };
    const made = await api.call("createChannel", { body: { name: "mail", kind: "mail", settings } });
    const path = { channel: made.id };
    const changes = [
      { name: "on call" },
      { settings: { ...settings, to: ["ops@example.com"], password: "n3w secret" } },
      { settings: { user: null, to: ["a@example.com"] } },
      { settings: { host: "other.example.com" } },
    ];

    api.notes.length = 0;
    for (const body of changes) {
      await api.call("changeChannel", { path, body });
    }

    assert.deepEqual(
      api.notes.map(({ detail }) => detail),
      [{}, { settings: ["password"] }, { settings: ["to", "user"] }, { settings: ["host", "password"] }],
    );
  });

  it("say that a channel has no secret if it needs none, and what a service answered to a test", async () => {
    await using database = await databases.open();
    await using slack = await slackStandIn();
    const api = await administratorOf(database);
    const mail = { host: "mail.example.com", from: "weir@example.com", to: ["ops@example.com"] };
    const wrong = { url: `${slack.url}/services/T1/B1/another-secret-path` };

    const made = await api.call("createChannel", { body: { name: "mail", kind: "mail", settings: mail } });
    const bad = await api.call("createChannel", {
      body: { name: "bad", kind: "slack-webhook", settings: wrong },
    });
    const tested = await api.call("testChannel", { path: { channel: bad.id } });

    assert.equal(made.hasSecret, false);
    assert.deepEqual(tested, { delivered: false, answer: "HTTP 404: no_service" });
    const refused = { kind: "invalid", fields: { url: "must be a URL with https" } };
    const body = { name: "x", kind: "teams", settings: { url: "nonsense" } };
    await assert.rejects(api.call("createChannel", { body }), refused);
  });

  it("can be tried before a channel is stored, and with what a rule says", async () => {
    await using database = await databases.open();
    await using slack = await slackStandIn();
    const api = await administratorOf(database);
    const settings = { url: `${slack.url}${secretPath}` };

    const tried = await api.call("trySettings", { body: { kind: "slack-webhook", settings } });
    assert.deepEqual([tried.delivered, (await api.call("channels")).rows], [true, []]);
    const { id } = await api.call("createChannel", {
      body: { name: "ops", kind: "slack-webhook", settings },
    });
    const rule = await api.call("createRule", {
      body: {
        ...{ name: "r", channelId: id, enabled: true, instances: [], namespaces: [], eventTypes: [] },
        ...{ severities: [], title: "Attention: {{type}}", template: "See {{instance}}", groupBy: [] },
        groupSeconds: 0,
      },
    });
    assert.equal((await api.call("testRule", { path: { rule: rule.id } })).delivered, true);

    const last = slack.received.at(-1)?.text ?? "";
    assert.ok(last.includes("Attention: ") && last.includes("See "), last);
  });

  it("let go of settings that aren't needed any more", async () => {
    await using database = await databases.open();
    const api = await administratorOf(database);
    const settings = {
      ...{ host: "mail.example.com", port: 465, security: "tls", user: "weir", password: "secret-word" },
      ...{ from: "weir@example.com", to: ["ops@example.com"] },
    };
    const made = await api.call("createChannel", { body: { name: "mail", kind: "mail", settings } });
    const path = { channel: made.id };

    const changed = await api.call("changeChannel", {
      path,
      body: { settings: { user: null, password: null } },
    });

    assert.deepEqual(
      [made.settings["user"], made.settings["security"], made.hasSecret],
      ["weir", "tls", true],
    );
    assert.deepEqual([changed.settings["user"], changed.hasSecret], ["", false]);
    const refused = { kind: "invalid" };
    await assert.rejects(api.call("changeChannel", { path, body: { settings: { host: null } } }), refused);
  });

  it("keep rules, and list what became of the events that match them", async () => {
    await using database = await databases.open();
    const api = await administratorOf(database);
    const { instanceId } = await addConnectedInstance(database.connection, "prod");
    const settings = { url: "https://hooks.example.com/secret" };
    const channel = await api.call("createChannel", { body: { name: "a", kind: "teams", settings } });
    const rule = {
      name: "failures",
      channelId: channel.id,
      enabled: true,
      instances: [instanceId],
      namespaces: ["shop"],
      eventTypes: ["sync"],
      severities: ["error"],
      title: "{{type}} on {{instance}}",
      template: "{{message}}",
      groupBy: ["instance", "severity"],
      groupSeconds: 86_400,
    };

    const made = await api.call("createRule", { body: rule });
    const path = { rule: made.id };
    const changed = await api.call("changeRule", {
      path,
      body: { groupBy: [], groupSeconds: 0, template: null },
    });
    const { rows } = await api.call("rules");

    assert.deepEqual(made, { ...rule, id: made.id });
    assert.deepEqual(changed, { ...made, groupBy: [], groupSeconds: 0, template: null });
    assert.deepEqual(rows, [changed]);
    const event = { instanceId, type: "sync", at: new Date(now), namespaces: ["shop"], workloadIds: [] };
    const said = { severity: "error", revision: "", message: "no", metadata: {}, fingerprint: "1" } as const;
    await addEvents(database.connection, [{ ...event, ...said }], now);
    await dispatchEvents(database, () => "", { now: () => now });
    const listed = await api.call("deliveries", { query: { channel: channel.id } });
    assert.deepEqual(
      listed.rows.map(({ channelId, state, attempts }) => [channelId, state, attempts]),
      [[channel.id, "pending", 0]],
    );
    assert.deepEqual((await api.call("deliveries", { query: { state: "sent" } })).rows, []);
    await api.call("removeRule", { path });
    assert.deepEqual((await api.call("rules")).rows, []);
    await assert.rejects(api.call("changeRule", { path, body: {} }), { name: "Problem", kind: "not-found" });
    await assert.rejects(api.call("removeRule", { path }), { name: "Problem", kind: "not-found" });
  });

  it("refuse a template that can't be used, before and after a rule is made", async () => {
    await using database = await databases.open();
    const api = await administratorOf(database);
    const settings = { url: "https://hooks.example.com/secret" };
    const channel = await api.call("createChannel", { body: { name: "a", kind: "teams", settings } });
    const everything = { instances: [], namespaces: [], eventTypes: [], severities: [] };
    const rule = { ...everything, name: "r", channelId: channel.id, enabled: true, groupSeconds: 0 };
    const body = { ...rule, groupBy: [], title: null, template: null };
    const made = await api.call("createRule", { body });

    const template = "{{{message}}}";
    const refused = { name: "Problem", kind: "invalid" };
    await assert.rejects(api.call("createRule", { body: { ...body, template } }), refused);
    const path = { rule: made.id };
    await assert.rejects(api.call("changeRule", { path, body: { template } }), refused);
    await assert.rejects(api.call("changeRule", { path, body: { channelId: "none" } }), refused);
    assert.deepEqual((await api.call("rules")).rows, [made]);
  });
});

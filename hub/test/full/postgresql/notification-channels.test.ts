import assert from "node:assert/strict";
import { after, it } from "node:test";
import { systemClock } from "@weir/base";
import { createTransport } from "@weir/http";
import type { PartialSettings } from "../../../src/notify/channel.ts";
import { Channels } from "../../../src/notify/channels.ts";
import { Courier } from "../../../src/notify/courier.ts";
import { Problem, type ProblemKind } from "../../../src/problem/problem.ts";
import { SecretBox } from "../../../src/secret-box/secret-box.ts";
import type { Database } from "../../../src/store/database.ts";
import { createRule, findRule, type RuleValues } from "../../../src/store/notifications.ts";
import { describeOnBothDatabases } from "../../support/databases.ts";
import { slackStandIn } from "../../support/service-stand-ins.ts";

const transport = createTransport({ connections: 2 });
after(() => transport.close());

const { signal } = new AbortController();
const box = new SecretBox([Buffer.alloc(32, 1)]);
const token = "xoxb-good";

function channelsOf(database: Database, withBox = box): Channels {
  const courier = new Courier({ transport, privateHosts: ["127.0.0.1"], clock: systemClock });
  return new Channels({ database, courier, box: withBox, clock: systemClock });
}

function slackApp(changes: object = {}): Parameters<Channels["create"]>[0] {
  return {
    name: "ops",
    enabled: true,
    settings: { kind: "slack-app", token, channel: "#ops", apiUrl: "https://slack.com/api", ...changes },
  };
}

function isProblem(kind: ProblemKind, field?: string): (error: unknown) => boolean {
  return (error) =>
    error instanceof Problem &&
    error.kind === kind &&
    (field === undefined || field in error.fields) &&
    !JSON.stringify([error.message, error.advice, error.fields]).includes(token);
}

describeOnBothDatabases("channels", (databases) => {
  it("are shown without their secrets, which are encrypted in the database", async () => {
    await using database = await databases.open();
    const channels = channelsOf(database);

    const id = await channels.create(slackApp(), null);

    const { createdAt, updatedAt, ...shown } = await channels.get(id);
    assert.deepEqual(createdAt, updatedAt);
    assert.deepEqual(shown, {
      id,
      name: "ops",
      kind: "slack-app",
      settings: { kind: "slack-app", channel: "#ops", apiUrl: "https://slack.com/api" },
      secretSettings: ["token"],
      hasSecret: true,
      enabled: true,
      lastSentAt: null,
      lastError: "",
      lastErrorAt: null,
      retryAt: null,
    });
    assert.deepEqual((await channels.list({ sort: "name", descending: false, limit: 10 })).items, [
      await channels.get(id),
    ]);
    const rows = await database.connection.selectFrom("notificationChannels").selectAll().execute();
    assert.ok(!JSON.stringify(rows).includes(token));
  });

  it("keep their secrets when others of their settings change, but not when they would be sent elsewhere", async () => {
    await using database = await databases.open();
    await using slack = await slackStandIn();
    const channels = channelsOf(database);
    const id = await channels.create(slackApp({ apiUrl: `${slack.url}/api`, channel: "#other" }), null);

    await channels.change(id, { name: "renamed", settings: { channel: "#ops" } });

    assert.equal((await channels.get(id)).name, "renamed");
    assert.equal((await channels.test(id, {}, signal)).kind, "delivered");
    await assert.rejects(
      channels.change(id, { settings: { apiUrl: "https://evil.example" } }),
      isProblem("invalid", "token"),
    );
  });

  it("are refused with the names of the fields that are wrong", async () => {
    await using database = await databases.open();
    const channels = channelsOf(database);
    const create = (settings: PartialSettings): Promise<unknown> =>
      channels.create({ name: "x", enabled: true, settings }, null);

    for (const [settings, field] of [
      [{ kind: "slack-app", token: "", channel: "#ops" }, "token"],
      [{ kind: "teams", url: "ftp://example.com" }, "url"],
      [{ kind: "webhook", url: "https://example.com", key: "short" }, "key"],
      [{ kind: "mail", host: "a b", from: "x@example.com", to: ["y@example.com"] }, "host"],
      [
        { kind: "mail", host: "mail.example.com", from: "x@example.com\r\nBcc: z@example.com", to: [] },
        "from",
      ],
      [{ kind: "github", repository: "octo/config" }, "token"],
      [{ kind: "github", repository: "../user", token: "t" }, "repository"],
      [{ kind: "github", repository: "user/..", token: "t" }, "repository"],
      [{ kind: "gitlab", project: "..", token: "t" }, "project"],
      [{ kind: "pager" }, "kind"],
    ] as const) {
      await assert.rejects(create(settings), isProblem("invalid", field), field);
    }
  });

  it("have names of their own", async () => {
    await using database = await databases.open();
    const channels = channelsOf(database);
    await channels.create(slackApp(), null);

    await assert.rejects(
      channels.create({ ...slackApp(), name: "OPS" }, null),
      isProblem("conflict", "name"),
    );
  });

  it("can't be used with another key, and say so", async () => {
    await using database = await databases.open();
    const id = await channelsOf(database).create(slackApp(), null);

    const others = channelsOf(database, new SecretBox([Buffer.alloc(32, 2)]));

    await assert.rejects(others.test(id, {}, signal), isProblem("refused"));
  });

  it("are deleted with their rules", async () => {
    await using database = await databases.open();
    const channels = channelsOf(database);
    const id = await channels.create(slackApp(), null);
    const rule = await createRule(database.connection, ruleFor(id), { by: null, now: 1 });

    await channels.delete(id);

    await assert.rejects(channels.get(id), isProblem("not-found"));
    await assert.rejects(channels.delete(id), isProblem("not-found"));
    assert.equal(await findRule(database.connection, rule), undefined);
  });
});

function ruleFor(channelId: string): RuleValues {
  return {
    name: "failures",
    enabled: true,
    channelId,
    instances: ["prod-*"],
    namespaces: [],
    eventTypes: ["sync"],
    severities: ["error"],
    title: "",
    body: "{{message}}",
    groupBy: ["instance"],
    groupSeconds: 300,
  };
}

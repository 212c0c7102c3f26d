import assert from "node:assert/strict";
import { createVerify, generateKeyPairSync } from "node:crypto";
import { after, describe, it } from "node:test";
import { systemClock } from "@weir/base";
import { createTransport } from "@weir/http";
import { serve } from "@weir/testing";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { type ChannelSettings, channelSettings } from "../../src/notify/channel.ts";
import type { Notification } from "../../src/notify/content.ts";
import { Courier } from "../../src/notify/courier.ts";
import type { Outcome } from "../../src/notify/retry.ts";
import { anyEvent, hostileTexts, notableEvent } from "../support/notable-events.ts";
import {
  discordStandIn,
  githubStandIn,
  gitlabStandIn,
  slackStandIn,
  teamsStandIn,
  webhookStandIn,
} from "../support/service-stand-ins.ts";

const transport = createTransport({ connections: 4 });
after(() => transport.close());

const courier = new Courier({ transport, privateHosts: ["127.0.0.1"], clock: systemClock });
const { signal } = new AbortController();
const key = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const { privateKey, publicKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});

function notificationOf(...changes: readonly Parameters<typeof notableEvent>[0][]): Notification {
  const [first, ...others] = changes.map((each) => notableEvent(each));
  return { id: "msg_1", events: [first ?? notableEvent(), ...others], template: {} };
}

function deliver(settings: object, notification = notificationOf()): Promise<Outcome> {
  return courier.deliver(notification, channelSettings.parse(settings), signal);
}

/** Every kind of message that a service could refuse, because of what is in it or how much there is. */
async function acceptsEverything(settings: ChannelSettings): Promise<void> {
  const long = "<&*_é😀\\\n".repeat(1_000);
  const extreme = [
    ...hostileTexts.map((message) => notificationOf({ message, instance: { id: "i1", name: message } })),
    notificationOf({
      message: long,
      workloads: Array.from({ length: 500 }, (_, index) => `${long}${index}`),
      link: "",
    }),
    notificationOf(...Array.from({ length: 300 }, (_, id) => ({ id, message: long }))),
    notificationOf({ message: "", workloads: [], namespaces: [], revision: "" }),
  ];
  const random = fc
    .sample(fc.array(anyEvent(), { minLength: 1, maxLength: 5 }), { numRuns: 40, seed: 1 })
    .map(
      ([first = notableEvent(), ...others]): Notification => ({
        id: "msg_2",
        events: [first, ...others],
        template: {},
      }),
    );
  for (const notification of [...extreme, ...random]) {
    const outcome = await deliver(settings, notification);
    assert.equal(outcome.kind, "delivered", JSON.stringify({ outcome, notification }).slice(0, 1_000));
  }
}

describe("Slack", () => {
  it("gets a message with blocks from an incoming webhook", async () => {
    await using slack = await slackStandIn();

    const outcome = await deliver({
      kind: "slack-webhook",
      url: `${slack.url}/services/T1/B1/secret-of-webhook`,
    });

    assert.deepEqual(outcome, { kind: "delivered", answer: "HTTP 200: ok" });
    assert.deepEqual(slack.received[0]?.body, {
      text: "🔴 prod-eu: sync",
      blocks: [
        { type: "header", text: { type: "plain_text", text: "🔴 prod-eu: sync", emoji: false } },
        {
          type: "section",
          text: { type: "mrkdwn", text: "Sync: 4b825dc, shop:deployment/cart", verbatim: true },
        },
        {
          type: "section",
          fields: [
            ["Instance", "prod-eu"],
            ["Event", "sync"],
            ["Severity", "error"],
            ["Namespaces", "shop"],
            ["Workloads", "shop:deployment/cart"],
            ["Revision", "4b825dc"],
            ["Time", "2024-05-01 12:30:00 UTC"],
          ].map((pair) => ({ type: "plain_text", text: pair.join("\n"), emoji: false })),
        },
        {
          type: "context",
          elements: [
            {
              type: "mrkdwn",
              text: "<https://console.example.com/events/1?from=slack&amp;x=1|Open in the console>",
              verbatim: true,
            },
          ],
        },
      ],
      unfurl_links: false,
      unfurl_media: false,
    });
  });

  it("accepts whatever happened", async () => {
    await using slack = await slackStandIn();

    await acceptsEverything({ kind: "slack-webhook", url: `${slack.url}/services/T1/B1/secret-of-webhook` });
  });

  it("tells an app what's wrong, with status 200", async () => {
    await using slack = await slackStandIn();
    const app = { kind: "slack-app", apiUrl: `${slack.url}/api`, token: "xoxb-good", channel: "#ops" };

    assert.deepEqual(await deliver({ ...app, token: "xoxb-bad" }), {
      kind: "refused",
      reason: "Slack says invalid_auth",
    });
    assert.deepEqual(await deliver({ ...app, channel: "#gone" }), {
      kind: "refused",
      reason: "Slack says channel_not_found",
    });
    assert.equal((await deliver(app)).kind, "delivered");
  });

  it("says when to come back", async () => {
    await using slack = await slackStandIn();
    const url = `${slack.url}/services/T1/B1/secret-of-webhook`;
    slack.replies.push({ status: 429, body: "rate_limited", headers: { "Retry-After": "30" } });

    assert.deepEqual(await deliver({ kind: "slack-webhook", url }), {
      kind: "unavailable",
      reason: "HTTP 429: rate_limited",
      afterMs: 30_000,
    });
  });

  it("refuses a webhook that was revoked", async () => {
    await using slack = await slackStandIn();

    assert.deepEqual(
      await deliver({ kind: "slack-webhook", url: `${slack.url}/services/T1/B1/another-secret` }),
      {
        kind: "refused",
        reason: "HTTP 404: no_service",
      },
    );
  });
});

describe("Microsoft Teams", () => {
  it("accepts an Adaptive Card, whatever happened", async () => {
    await using teams = await teamsStandIn();

    await acceptsEverything({ kind: "teams", url: `${teams.url}/workflows/secret-of-workflow` });
  });

  it("gets text only where it isn't Markdown", async () => {
    await using teams = await teamsStandIn();

    await deliver(
      { kind: "teams", url: teams.url },
      notificationOf({ message: "[x](https://evil.example)" }),
    );

    const types = (teams.received[0]?.text ?? "").matchAll(/"type":"([\w.]+)"/g).map(([, type]) => type);
    assert.deepEqual([...new Set(types)].toSorted(), [
      "Action.OpenUrl",
      "AdaptiveCard",
      "Container",
      "RichTextBlock",
      "TextRun",
      "message",
    ]);
  });
});

describe("Discord", () => {
  const path = "/api/webhooks/1/secret-of-webhook";

  it("accepts an embed, whatever happened, and is told to mention nobody", async () => {
    await using discord = await discordStandIn();

    await acceptsEverything({ kind: "discord", url: `${discord.url}${path}` });

    assert.ok(
      discord.received.every(({ body }) => JSON.stringify(body["allowed_mentions"]) === '{"parse":[]}'),
    );
  });

  it("says in fractions of seconds when to come back", async () => {
    await using discord = await discordStandIn();
    discord.replies.push({
      status: 429,
      body: { message: "You are being rate limited.", retry_after: 64.57, global: false },
      headers: { "Retry-After": "65" },
    });

    const outcome = await deliver({ kind: "discord", url: `${discord.url}${path}` });

    assert.equal(outcome.kind === "unavailable" && outcome.afterMs, 65_000);
  });
});

describe("a signed webhook", () => {
  it("can be verified with the library of Standard Webhooks, and as the documentation says", async () => {
    await using receiver = await webhookStandIn(key);

    const outcome = await deliver({ kind: "webhook", url: receiver.url, key });

    const [request] = receiver.received;
    assert.deepEqual(outcome, { kind: "delivered", answer: "HTTP 204" });
    assert.deepEqual(new Webhook(key).verify(request?.text ?? "", headersOf(request?.headers ?? {})), {
      type: "weir.events",
      timestamp: "2024-05-01T12:30:00.000Z",
      data: {
        title: "prod-eu: sync",
        text: "Sync: 4b825dc, shop:deployment/cart",
        severity: "error",
        count: 1,
        omitted: 0,
        events: [
          {
            id: 1,
            instance: { id: "i1", name: "prod-eu" },
            type: "sync",
            severity: "error",
            namespaces: ["shop"],
            workloads: ["shop:deployment/cart"],
            revision: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
            message: "Sync: 4b825dc, shop:deployment/cart",
            at: "2024-05-01T12:30:00.000Z",
            link: "https://console.example.com/events/1?from=slack&x=1",
          },
        ],
      },
    });
  });

  it("has the same ID when it's sent again", async () => {
    await using receiver = await webhookStandIn(key);

    await deliver({ kind: "webhook", url: receiver.url, key });
    await deliver({ kind: "webhook", url: receiver.url, key });

    assert.deepEqual(
      receiver.received.map(({ headers }) => headers["webhook-id"]),
      ["msg_1", "msg_1"],
    );
  });

  it("isn't accepted with another key", async () => {
    await using receiver = await webhookStandIn(`whsec_${Buffer.alloc(32, 8).toString("base64")}`);

    assert.deepEqual(await deliver({ kind: "webhook", url: receiver.url, key }), {
      kind: "refused",
      reason: "HTTP 401: bad signature",
    });
  });
});

function headersOf(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

describe("GitHub", () => {
  const settingsFor = (url: string): object => ({
    kind: "github",
    apiUrl: url,
    repository: "octo/config",
    token: "ghp_good",
    comment: true,
  });

  it("gets a status and a comment, once", async () => {
    await using github = await githubStandIn();

    const first = await deliver(settingsFor(github.url));
    const again = await deliver(settingsFor(github.url));

    assert.deepEqual(first, {
      kind: "delivered",
      answer: "HTTP 201: set the status of 4b825dc; HTTP 201: commented on #5",
    });
    assert.deepEqual(again, {
      kind: "delivered",
      answer: "HTTP 201: set the status of 4b825dc; #5 has the comment",
    });
    assert.deepEqual(github.received[0]?.body, {
      state: "failure",
      context: "weir/prod-eu",
      description: "prod-eu: sync",
      target_url: "https://console.example.com/events/1?from=slack&x=1",
    });
    assert.deepEqual(github.comments, [
      [
        "**prod-eu\\: sync**",
        "Sync\\: 4b825dc, shop\\:deployment/cart",
        "- Instance: prod-eu\n- Event: sync\n- Severity: error\n- Namespaces: shop\n- Workloads: shop\\:deployment/cart\n- Revision: 4b825dc\n- Time: 2024-05-01 12\\:30\\:00 UTC",
        "[Open in the console](https://console.example.com/events/1?from=slack&x=1)",
        "<!-- weir-notification: msg_1 -->",
      ].join("\n\n"),
    ]);
  });

  it("accepts whatever happened", async () => {
    await using github = await githubStandIn();

    await acceptsEverything(channelSettings.parse(settingsFor(github.url)));
  });

  it("takes the proof of an App, whose token is kept", async () => {
    await using github = await githubStandIn();
    const app = { ...settingsFor(github.url), token: "", appId: "3", installationId: "7", privateKey };

    await deliver(app);
    await deliver(app);

    const proofs = github.received.filter(({ path }) => path.includes("access_tokens"));
    const [header = "", payload = "", signature = ""] = (proofs[0]?.headers.authorization ?? "")
      .slice(7)
      .split(".");
    assert.equal(proofs.length, 1);
    assert.deepEqual(proofs[0]?.body, {
      repositories: ["config"],
      permissions: { statuses: "write", pull_requests: "write", contents: "read" },
    });
    assert.ok(
      createVerify("sha256").update(`${header}.${payload}`).verify(publicKey, signature, "base64url"),
    );
    assert.equal(github.comments.length, 1);
  });

  it("doesn't know every commit", async () => {
    await using github = await githubStandIn();

    const outcome = await deliver(settingsFor(github.url), notificationOf({ revision: "0".repeat(40) }));

    assert.deepEqual(outcome, {
      kind: "refused",
      reason: 'HTTP 422: {"message":"No commit found for SHA: unknown"}',
    });
  });

  it("says with 403 that a limit was reached, and until when", async () => {
    await using github = await githubStandIn();
    const reset = Math.floor(Date.now() / 1000) + 600;
    github.replies.push({
      status: 403,
      body: { message: "API rate limit exceeded" },
      headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(reset) },
    });

    const outcome = await deliver(settingsFor(github.url));

    assert.ok(outcome.kind === "unavailable" && outcome.afterMs > 500_000 && outcome.afterMs <= 600_000);
  });

  it("isn't asked anything about events without a commit", async () => {
    await using github = await githubStandIn();

    const outcome = await deliver(settingsFor(github.url), notificationOf({ revision: "" }));

    assert.deepEqual(outcome, { kind: "delivered", answer: "no event names a commit: nothing to report" });
    assert.deepEqual(github.received, []);
  });
});

describe("GitLab", () => {
  const settingsFor = (url: string): object => ({
    kind: "gitlab",
    url,
    project: "group/config",
    token: "glpat-good",
    comment: true,
  });

  it("gets a status and a note, once, although it refuses a status that it has", async () => {
    await using gitlab = await gitlabStandIn();

    const first = await deliver(settingsFor(gitlab.url));
    const again = await deliver(settingsFor(gitlab.url));

    assert.deepEqual(first, {
      kind: "delivered",
      answer: "HTTP 201: set the status of 4b825dc; HTTP 201: commented on !5",
    });
    assert.deepEqual(again, {
      kind: "delivered",
      answer: "HTTP 400: set the status of 4b825dc; !5 has the note",
    });
    assert.equal(gitlab.notes.length, 1);
  });

  it("accepts whatever happened", async () => {
    await using gitlab = await gitlabStandIn();

    await acceptsEverything(channelSettings.parse(settingsFor(gitlab.url)));
  });
});

describe("a service that misbehaves", () => {
  it("isn't followed to another address", async () => {
    await using elsewhere = await webhookStandIn(key);
    await using redirecting = await serve((_request, response) => {
      response.writeHead(307, { Location: elsewhere.url }).end();
    });

    const outcome = await deliver({ kind: "webhook", url: redirecting.url, key });

    assert.ok(outcome.kind === "refused" && outcome.reason.startsWith("HTTP 307: the service redirects"));
    assert.deepEqual(elsewhere.received, []);
  });

  it("can't make the console read without end, or repeat a secret of the channel", async () => {
    await using endless = await serve((_request, response) => void response.end("x".repeat(1_000_000)));
    await using telling = await serve(
      (request, response) => void response.writeHead(400).end(`no ${request.url ?? ""}`),
    );

    assert.deepEqual(await deliver({ kind: "teams", url: endless.url }), {
      kind: "refused",
      reason: "the response is larger than 65536 bytes",
    });
    assert.deepEqual(
      await deliver({ kind: "teams", url: `${telling.url}/hooks/0123456789abcdef?sig=fedcba9876543210` }),
      {
        kind: "refused",
        reason: "HTTP 400: no [hidden]",
      },
    );
  });

  it("is unavailable if nobody listens", async () => {
    const server = await serve(() => undefined);
    await server[Symbol.asyncDispose]();

    const outcome = await deliver({ kind: "teams", url: server.url });

    assert.equal(outcome.kind, "unavailable");
  });
});

describe("the addresses of the console's own network", () => {
  const strict = new Courier({ transport, privateHosts: ["*.internal.example"], clock: systemClock });
  const open = new Courier({ transport, privateHosts: ["*"], clock: systemClock });
  const reasonOf = async (courier: Courier, url: string): Promise<string> => {
    const outcome = await courier.deliver(notificationOf(), { kind: "teams", url }, signal);
    return outcome.kind === "refused" ? outcome.reason : outcome.kind;
  };

  it("are refused unless an administrator allowed the host", async () => {
    assert.match(
      await reasonOf(strict, "https://127.0.0.1/"),
      /has the private address 127\.0\.0\.1: .*--notify-private-hosts/,
    );
    assert.match(await reasonOf(strict, "https://[::ffff:10.0.0.1]/"), /has the private address/);
    assert.match(await reasonOf(strict, "https://localhost/"), /localhost has the private address/);
    assert.match(await reasonOf(strict, "http://hooks.example.com/"), /must be reached over https/);
  });

  it("of a cloud's services are refused even then", async () => {
    for (const host of [
      "169.254.169.254",
      "[fd00:ec2::254]",
      "[fe80::1]",
      "100.100.100.200",
      "[::ffff:169.254.169.254]",
    ]) {
      assert.match(
        await reasonOf(open, `http://${host}/latest/meta-data/`),
        /reserved for services of the machine/,
      );
    }
  });
});

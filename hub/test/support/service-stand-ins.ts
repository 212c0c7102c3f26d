/**
 * Chat services and git hosts as they answer webhooks and API calls: they refuse what the real ones refuse, by their
 * documentation, and keep what they accepted.
 */
import { createHmac } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { isJsonObject, type JsonObject, type JsonValue } from "@weir/base";
import { textIn } from "@weir/http";
import { answer, type HttpServer, serve } from "@weir/testing";
import type * as adaptiveCards from "adaptivecards";
import * as z from "zod";

/** Node.js can load only the bundle of the library for browsers. */
const { AdaptiveCard, SerializationContext } = createRequire(import.meta.url)(
  "adaptivecards/dist/adaptivecards.min.js",
) as typeof adaptiveCards;

/** A request that a stand-in received. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  readonly body: JsonObject;
}

/** What a stand-in answers. */
export interface Reply {
  readonly status: number;
  readonly body: object | string;
  readonly headers?: Record<string, string>;
}

/** A service on a loopback port. */
export interface StandIn extends AsyncDisposable {
  readonly url: string;
  /** What it was asked for, refused or not. */
  readonly received: readonly Received[];
  /** What it answers next, instead of judging the request. */
  readonly replies: Reply[];
}

/** Serves a service that judges requests with `judge`. */
export async function standIn(judge: (request: Received) => Reply): Promise<StandIn> {
  const received: Received[] = [];
  const replies: Reply[] = [];
  const server: HttpServer = await serve((request, response) => {
    void readText(request).then((text) => {
      const asked = {
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers,
        text,
        body: parse(text),
      };
      received.push(asked);
      send(response, replies.shift() ?? judge(asked));
    });
  });
  return { url: server.url, received, replies, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

function send(response: ServerResponse, { status, body, headers = {} }: Reply): void {
  if (typeof body === "string") {
    response.writeHead(status, { "Content-Type": "text/plain", ...headers }).end(body);
  } else {
    answer(response, { status, body, headers });
  }
}

/** Slack: /services/… is an incoming webhook, /api/chat.postMessage needs the token "xoxb-good". */
export function slackStandIn(): Promise<StandIn> {
  return standIn(({ method, path, headers, body }) => {
    const isValid = slackMessage.safeParse(body).success;
    if (method === "POST" && path === "/services/T1/B1/secret-of-webhook") {
      return isValid ? { status: 200, body: "ok" } : { status: 400, body: "invalid_blocks" };
    }
    if (path.startsWith("/services/")) {
      return { status: 404, body: "no_service" };
    }
    if (headers.authorization !== "Bearer xoxb-good") {
      return { status: 200, body: { ok: false, error: "invalid_auth" } };
    }
    if (body["channel"] !== "#ops") {
      return { status: 200, body: { ok: false, error: "channel_not_found" } };
    }
    return { status: 200, body: isValid ? { ok: true, ts: "1.2" } : { ok: false, error: "invalid_blocks" } };
  });
}

const plainText = (max: number) =>
  z.strictObject({
    type: z.literal("plain_text"),
    text: z.string().min(1).max(max),
    emoji: z.boolean().optional(),
  });
const mrkdwn = (max: number) =>
  z.strictObject({
    type: z.literal("mrkdwn"),
    text: z.string().min(1).max(max),
    verbatim: z.boolean().optional(),
  });

/** https://docs.slack.dev/reference/block-kit/blocks, as far as messages of ours may use it. */
const slackMessage = z.looseObject({
  text: z.string().max(40_000),
  blocks: z
    .array(
      z.union([
        z.strictObject({ type: z.literal("header"), text: plainText(150) }),
        z.strictObject({ type: z.literal("section"), text: z.union([plainText(3_000), mrkdwn(3_000)]) }),
        z.strictObject({ type: z.literal("section"), fields: z.array(plainText(2_000)).min(1).max(10) }),
        z.strictObject({ type: z.literal("context"), elements: z.array(mrkdwn(3_000)).min(1).max(10) }),
      ]),
    )
    .min(1)
    .max(50),
});

/** A workflow of Teams that posts cards; it checks them with Microsoft's own library. */
export function teamsStandIn(): Promise<StandIn> {
  return standIn(({ text, body }) => {
    if (Buffer.byteLength(text) > 28 * 1024) {
      return {
        status: 413,
        body: { error: { code: "RequestEntityTooLarge", message: "The message is too large." } },
      };
    }
    const attachments = Array.isArray(body["attachments"])
      ? (body["attachments"] as readonly JsonValue[])
      : [];
    const [attachment] = attachments;
    const isCard =
      body["type"] === "message" &&
      isJsonObject(attachment) &&
      attachment["contentType"] === "application/vnd.microsoft.card.adaptive";
    const problems =
      isCard && isJsonObject(attachment["content"]) ? problemsOfCard(attachment["content"]) : ["no card"];
    return problems.length === 0
      ? { status: 202, body: "" }
      : { status: 400, body: { error: { code: "InvalidRequestContent", message: problems.join("; ") } } };
  });
}

function problemsOfCard(content: JsonObject): readonly string[] {
  const card = new AdaptiveCard();
  const context = new SerializationContext();
  card.parse(content, context);
  const parsing = Array.from({ length: context.eventCount }, (_, index) => context.getEventAt(index).message);
  return [...parsing, ...card.validateProperties().validationEvents.map(({ message }) => message)];
}

/** Discord: a webhook at /api/webhooks/1/secret-of-webhook. */
export function discordStandIn(): Promise<StandIn> {
  return standIn(({ path, body }) => {
    if (!path.startsWith("/api/webhooks/1/secret-of-webhook")) {
      return { status: 404, body: { message: "Unknown Webhook", code: 10015 } };
    }
    const parsed = discordMessage.safeParse(body);
    if (!parsed.success || sizeOfEmbeds(parsed.data) > 6_000) {
      return { status: 400, body: { message: "Invalid Form Body", code: 50035, errors: {} } };
    }
    return path.includes("wait=true")
      ? { status: 200, body: { id: "42", type: 0 } }
      : { status: 204, body: "" };
  });
}

/** https://discord.com/developers/docs/resources/message#embed-object-embed-limits */
const discordMessage = z.strictObject({
  allowed_mentions: z.strictObject({ parse: z.array(z.string()).max(0) }),
  embeds: z
    .array(
      z.strictObject({
        title: z.string().min(1).max(256),
        description: z.string().min(1).max(4096).optional(),
        url: z.url().optional(),
        color: z.int().min(0).max(0xffffff),
        fields: z
          .array(
            z.strictObject({
              name: z.string().min(1).max(256),
              value: z.string().min(1).max(1024),
              inline: z.boolean(),
            }),
          )
          .max(25),
      }),
    )
    .min(1)
    .max(10),
});

function sizeOfEmbeds({ embeds }: z.output<typeof discordMessage>): number {
  return embeds
    .flatMap(({ title, description = "", fields }) => [
      title,
      description,
      ...fields.flatMap(({ name, value }) => [name, value]),
    ])
    .reduce((sum, text) => sum + text.length, 0);
}

/** A commit that the git hosts know, and the pull request that contains it. */
export const knownCommit = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** GitHub at its API's address, with the repository octo/config. The token "ghp_good" and those of the App may do all. */
export async function githubStandIn(): Promise<StandIn & { readonly comments: string[] }> {
  const comments: string[] = [];
  const service = await standIn(({ method, path, headers, body }) => {
    const route = `${method} ${path.split("?", 1).join("")}`;
    if (headers["user-agent"] === undefined || headers["x-github-api-version"] === undefined) {
      return { status: 403, body: { message: "Request forbidden by administrative rules." } };
    }
    if (route === "POST /app/installations/7/access_tokens") {
      return appToken(headers.authorization ?? "");
    }
    if (headers.authorization !== "Bearer ghp_good" && headers.authorization !== "Bearer ghs_app") {
      return { status: 401, body: { message: "Bad credentials" } };
    }
    switch (route) {
      case `POST /repos/octo/config/statuses/${knownCommit}`:
        return githubStatus.safeParse(body).success
          ? { status: 201, body: { id: 1, ...body } }
          : {
              status: 422,
              body: { message: "Validation Failed", errors: [{ field: "description", code: "too_long" }] },
            };
      case `GET /repos/octo/config/commits/${knownCommit}/pulls`:
        return { status: 200, body: [{ number: 5, state: "open" }] };
      case "GET /repos/octo/config/issues/5/comments":
        return { status: 200, body: comments.map((text) => ({ body: text })) };
      case "POST /repos/octo/config/issues/5/comments":
        comments.push(textIn(body, "body"));
        return { status: 201, body: { id: 1 } };
      default:
        return route.startsWith("POST /repos/octo/config/statuses/")
          ? { status: 422, body: { message: "No commit found for SHA: unknown" } }
          : { status: 404, body: { message: "Not Found" } };
    }
  });
  return { ...service, comments, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

const githubStatus = z.strictObject({
  state: z.enum(["error", "failure", "pending", "success"]),
  context: z.string().min(1).max(255),
  description: z.string().max(140),
  target_url: z.url().optional(),
});

/** The proof of an App is a JWT; its signature is checked by the test, which has the key. */
function appToken(authorization: string): Reply {
  const [, payload = ""] = authorization.replace("Bearer ", "").split(".");
  const claims = parse(Buffer.from(payload, "base64url").toString());
  const lifetime = Number(claims["exp"]) - Number(claims["iat"]);
  return claims["iss"] === "3" && lifetime <= 600
    ? { status: 201, body: { token: "ghs_app", expires_at: new Date(Date.now() + 3_600_000).toISOString() } }
    : { status: 401, body: { message: "'Expiration time' claim ('exp') is too far in the future" } };
}

/** GitLab with the project group/config. The token "glpat-good" may do all. */
export async function gitlabStandIn(): Promise<StandIn & { readonly notes: string[] }> {
  const notes: string[] = [];
  const states = new Map<string, unknown>();
  const service = await standIn(({ method, path, headers, body }) => {
    const route = `${method} ${path.split("?", 1).join("")}`.replace("/api/v4/projects/group%2Fconfig", "");
    if (headers["private-token"] !== "glpat-good") {
      return { status: 401, body: { message: "401 Unauthorized" } };
    }
    switch (route) {
      case `POST /statuses/${knownCommit}`:
        return setGitLabStatus(body, states);
      case `GET /repository/commits/${knownCommit}/merge_requests`:
        return { status: 200, body: [{ iid: 5 }] };
      case "GET /merge_requests/5/notes":
        return { status: 200, body: notes.map((text) => ({ body: text })) };
      case "POST /merge_requests/5/notes":
        notes.push(textIn(body, "body"));
        return { status: 201, body: { id: 1 } };
      default:
        return { status: 404, body: { message: "404 Project Not Found" } };
    }
  });
  return { ...service, notes, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

const gitlabStatus = z.strictObject({
  state: z.enum(["pending", "running", "success", "failed", "canceled"]),
  name: z.string().min(1).max(255),
  description: z.string().max(255),
  target_url: z.url().max(255).optional(),
});

function setGitLabStatus(body: JsonObject, states: Map<string, unknown>): Reply {
  const parsed = gitlabStatus.safeParse(body);
  if (!parsed.success) {
    return { status: 400, body: { error: "state does not have a valid value" } };
  }
  const { name, state } = parsed.data;
  if (states.get(name) === state) {
    const step = state === "success" ? "succeed" : "drop";
    const message = `Cannot transition status via :${step} from :${state} (Reason(s): Status cannot transition via "${step}")`;
    return { status: 400, body: { message } };
  }
  states.set(name, state);
  return { status: 201, body: { id: 1, status: state } };
}

/** A receiver of signed webhooks that verifies them as hub/docs/notifications.md says; 401 for others. */
export function webhookStandIn(key: string): Promise<StandIn> {
  return standIn(({ headers, text }) => {
    const signed = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${text}`;
    const bytes = Buffer.from(key.replace("whsec_", ""), "base64");
    const expected = `v1,${createHmac("sha256", bytes).update(signed).digest("base64")}`;
    return headers["webhook-signature"] === expected
      ? { status: 204, body: "" }
      : { status: 401, body: "bad signature" };
  });
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parse(text: string): JsonObject {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** The settings of channels, and which of them are secret. */
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";

const secretUrl = z.url({ protocol: /^https?$/, error: "must be a URL with https" });
const baseUrl = z.url({ protocol: /^https?$/, error: "must be a URL with https" });
const secret = z.string().min(1, "must not be empty").max(10_000);
const address = z.email("must be a mail address such as team@example.com");
const hostName = z.string().regex(/^[A-Za-z0-9_.:-]{1,253}$/, "must be the name of a host, without a port");

const slackWebhook = z.strictObject({ kind: z.literal("slack-webhook"), url: secretUrl });

const slackApp = z.strictObject({
  kind: z.literal("slack-app"),
  token: secret,
  /** The ID of a channel, or its name with #. */
  channel: z.string().min(1).max(100),
  apiUrl: baseUrl.default("https://slack.com/api"),
});

const teams = z.strictObject({ kind: z.literal("teams"), url: secretUrl });

const discord = z.strictObject({ kind: z.literal("discord"), url: secretUrl });

const mail = z.strictObject({
  kind: z.literal("mail"),
  host: hostName,
  port: z.int().min(1).max(65_535).default(587),
  /** "starttls" requires it, "tls" begins with it, and "none" is for hosts with private addresses only. */
  security: z.enum(["starttls", "tls", "none"]).default("starttls"),
  user: z.string().max(500).default(""),
  password: z.string().max(10_000).default(""),
  from: address,
  to: z.array(address).min(1).max(50),
});

const webhook = z.strictObject({
  kind: z.literal("webhook"),
  url: secretUrl,
  /** A key for signatures, as in Standard Webhooks: "whsec_" and 24 to 64 bytes in base64. */
  key: z.string().refine(isSigningKey, "must be whsec_ and 24 to 64 bytes in base64"),
});

const commitSettings = {
  /** Sets the status of the commit. */
  status: z.boolean().default(true),
  /** Comments on the pull or merge requests that the commit is part of. */
  comment: z.boolean().default(false),
};

const github = z.strictObject({
  kind: z.literal("github"),
  /** For GitHub Enterprise Server, https://HOST/api/v3. */
  apiUrl: baseUrl.default("https://api.github.com"),
  repository: z.string().regex(/^[\w-][\w.-]*\/(?!\.+$)[\w.-]+$/, "must be owner/name"),
  token: z.string().max(10_000).default(""),
  /** Of a GitHub App, instead of a token. */
  appId: z.string().max(100).default(""),
  installationId: z.string().regex(/^\d*$/, "must be a number").default(""),
  privateKey: z.string().max(20_000).default(""),
  ...commitSettings,
});

const gitlab = z.strictObject({
  kind: z.literal("gitlab"),
  /** The address of GitLab itself, without /api/v4. */
  url: baseUrl.default("https://gitlab.com"),
  /** Its path with all groups, or its number. */
  project: z
    .string()
    .regex(/^(\d+|[\w.-]+(\/[\w.-]+)+)$/, "must be group/project, or a number")
    .max(500),
  token: secret,
  ...commitSettings,
});

/** The settings of a channel, secrets included, checked. Its messages name the field and say what it must be. */
export const channelSettings = z
  .discriminatedUnion("kind", [slackWebhook, slackApp, teams, discord, mail, webhook, github, gitlab])
  .superRefine((settings, context) => {
    if (settings.kind === "github" && !isAuthenticated(settings)) {
      const message = "must be set, or else appId, installationId, and privateKey of a GitHub App";
      context.addIssue({ code: "custom", path: ["token"], message });
    }
  });

export type ChannelSettings = z.output<typeof channelSettings>;

export type ChannelKind = ChannelSettings["kind"];

export type SettingsOf<Kind extends ChannelKind> = Extract<ChannelSettings, { kind: Kind }>;

/** Settings with some left out, such as the secret ones. */
export type PartialSettings = Readonly<Record<string, unknown>>;

/** The names of the secret settings: whoever has one of them can send messages in the console's name. */
export const secretFields: { readonly [Kind in ChannelKind]: readonly (keyof SettingsOf<Kind>)[] } = {
  "slack-webhook": ["url"],
  "slack-app": ["token"],
  teams: ["url"],
  discord: ["url"],
  mail: ["password"],
  webhook: ["url", "key"],
  github: ["token", "privateKey"],
  gitlab: ["token"],
};

/** Separates the settings that may be shown from the secret ones, which are to be encrypted. */
export function splitSettings(settings: ChannelSettings): {
  readonly shown: PartialSettings;
  readonly secrets: Readonly<Record<string, string>>;
} {
  const isSecret = secretFields[settings.kind] as readonly string[];
  const entries = Object.entries(settings);
  return {
    shown: Object.fromEntries(entries.filter(([name]) => !isSecret.includes(name))),
    secrets: Object.fromEntries(
      entries.filter((entry): entry is [string, string] => isSecret.includes(entry[0]) && entry[1] !== ""),
    ),
  };
}

/**
 * Changes settings, secret or not; null takes one away, so that it's as usual. Where the secrets are sent can't be changed without entering them again: otherwise,
 * whoever may change a channel could have its secrets sent to a host of their own. Throws ZodError.
 */
export function changeSettings(settings: ChannelSettings, changes: PartialSettings): ChannelSettings {
  const { shown, secrets } = splitSettings(settings);
  const isMoved = targetFields.some(
    (name) => name in changes && changes[name] !== shown[name] && name in shown,
  );
  const changed: PartialSettings = { ...shown, ...(isMoved ? {} : secrets), ...changes, kind: settings.kind };
  return channelSettings.parse(
    Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== null)),
  );
}

/** The names of the settings, secret or not, in which two differ. */
export function changedSettings(before: PartialSettings, after: PartialSettings): readonly string[] {
  const names = Object.keys({ ...before, ...after });
  return names.filter((name) => !isDeepStrictEqual(before[name], after[name])).toSorted();
}

/** Where secrets are sent, if that isn't a secret itself. */
const targetFields = ["apiUrl", "url", "host", "port", "security"];

/** Every text in the settings that must not be logged or shown: secrets, and the parts of them that others repeat. */
export function secretTexts(settings: ChannelSettings): readonly string[] {
  const { secrets } = splitSettings(settings);
  return Object.values(secrets).flatMap((text) => [text, ...partsOfUrl(text), ...partsOfKey(text)]);
}

function partsOfUrl(text: string): readonly string[] {
  if (!URL.canParse(text)) {
    return [];
  }
  const { pathname, search, password } = new URL(text);
  const segments = [...pathname.split("/"), ...new URLSearchParams(search).values(), password];
  return [pathname + search, ...segments.filter((segment) => segment.length >= minSecretLength)];
}

function partsOfKey(text: string): readonly string[] {
  return text.split("\n").filter((line) => text.includes("\n") && line.length >= minSecretLength);
}

/** Shorter parts are words such as "services", and aren't secret by themselves. */
const minSecretLength = 12;

function isSigningKey(text: string): boolean {
  const [, body] = /^whsec_([A-Za-z0-9+/]+=*)$/.exec(text) ?? [];
  const { length } = Buffer.from(body ?? "", "base64");
  return length >= 24 && length <= 64;
}

function isAuthenticated({ token, appId, installationId, privateKey }: z.output<typeof github>): boolean {
  return token !== "" || (appId !== "" && installationId !== "" && privateKey !== "");
}

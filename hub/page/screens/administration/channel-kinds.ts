import type { Channel } from "../../../src/contract/notifications.ts";

/** How a setting is written. A secret one is never shown again. */
type SettingForm = "text" | "secret" | "secret-lines" | "list" | "number" | "yes-no" | "choice";

/** A setting of a channel. */
export interface ChannelSetting {
  readonly key: string;
  readonly label: string;
  readonly help?: string;
  readonly form?: SettingForm;
  readonly otherwise?: string;
  /** Of a choice: values, and what they mean. */
  readonly options?: readonly (readonly [value: string, text: string])[];
}

/** What a channel of a kind is set up with. */
interface ChannelKind {
  readonly name: string;
  readonly settings: readonly ChannelSetting[];
}

const onCommits: readonly ChannelSetting[] = [
  { key: "status", label: "Set the status of commits", form: "yes-no", otherwise: "true" },
  {
    key: "comment",
    label: "Comment on the requests that a commit is part of",
    form: "yes-no",
    otherwise: "false",
  },
];

export const channelKinds: Readonly<Record<Channel["kind"], ChannelKind>> = {
  "slack-webhook": {
    name: "Slack, with an incoming webhook",
    settings: [{ key: "url", label: "Address of the webhook", form: "secret" }],
  },
  "slack-app": {
    name: "Slack, with an app",
    settings: [
      { key: "channel", label: "Channel", help: "Its ID, or its name with #." },
      { key: "token", label: "Bot token", form: "secret" },
    ],
  },
  teams: {
    name: "Microsoft Teams",
    settings: [{ key: "url", label: "Address of the workflow", form: "secret" }],
  },
  discord: { name: "Discord", settings: [{ key: "url", label: "Address of the webhook", form: "secret" }] },
  mail: {
    name: "Mail",
    settings: [
      { key: "host", label: "Server" },
      { key: "port", label: "Port", form: "number", otherwise: "587" },
      {
        key: "security",
        label: "Encryption",
        form: "choice",
        otherwise: "starttls",
        options: [
          ["starttls", "STARTTLS, usual for port 587"],
          ["tls", "TLS from the beginning, usual for port 465"],
          ["none", "None, for hosts in one’s own network"],
        ],
      },
      { key: "user", label: "User", help: "Empty if the server asks for none." },
      { key: "password", label: "Password", form: "secret" },
      { key: "from", label: "From" },
      { key: "to", label: "To", help: "Several addresses with commas.", form: "list" },
    ],
  },
  webhook: {
    name: "Signed webhook",
    settings: [
      { key: "url", label: "Address", form: "secret" },
      {
        key: "key",
        label: "Key for signatures",
        help: "As in Standard Webhooks: whsec_ and base64.",
        form: "secret",
      },
    ],
  },
  github: {
    name: "GitHub",
    settings: [
      { key: "repository", label: "Repository", help: "Such as acme/fleet." },
      { key: "apiUrl", label: "Address of the API", help: "Empty for github.com." },
      { key: "token", label: "Token", help: "Or the three fields of an app.", form: "secret" },
      { key: "appId", label: "ID of the app" },
      { key: "installationId", label: "ID of its installation" },
      { key: "privateKey", label: "Private key of the app", form: "secret-lines" },
      ...onCommits,
    ],
  },
  gitlab: {
    name: "GitLab",
    settings: [
      { key: "project", label: "Project", help: "Its path, such as acme/fleet, or its number." },
      { key: "url", label: "Address", help: "Empty for gitlab.com." },
      { key: "token", label: "Token", form: "secret" },
      ...onCommits,
    ],
  },
};

/** A setting as it's sent. */
type Sent = string | number | boolean | string[] | null;

/**
 * The settings as they're sent, from texts. What is empty is left out, so that the console fills it in, or keeps it if it's
 * secret; what was set before and is empty now is taken away.
 */
export function settingsOf(
  kind: Channel["kind"],
  texts: Readonly<Record<string, string>>,
  before: Readonly<Record<string, unknown>> = {},
): Record<string, Sent> {
  return Object.fromEntries(
    channelKinds[kind].settings.flatMap(({ key, form = "text", otherwise = "" }): [string, Sent][] => {
      const text = (texts[key] ?? otherwise).trim();
      if (text !== "") {
        return [[key, sentAs(form, text)]];
      }
      return key in before ? [[key, null]] : [];
    }),
  );
}

function sentAs(form: SettingForm, text: string): Sent {
  switch (form) {
    case "number":
      return Number(text);
    case "yes-no":
      return text === "true";
    case "list":
      return text
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== "");
    case "text":
    case "choice":
    case "secret":
    case "secret-lines":
      return text;
  }
}

/** The texts of settings, to be changed. */
export function textsOf(settings: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).map(([key, value]) => [
      key,
      Array.isArray(value)
        ? value.map(String).join(", ")
        : typeof value === "string"
          ? value
          : JSON.stringify(value),
    ]),
  );
}

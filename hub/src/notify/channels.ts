/** The channels as administrators see them: secrets go in, and only to the services out. */
import { type Clock, isJsonObject, type JsonObject } from "@weir/base";
import { ZodError } from "zod";
import { Problem } from "../problem/problem.ts";
import { type SecretBox, SecretBoxError } from "../secret-box/secret-box.ts";
import type { Database } from "../store/database.ts";
import {
  type Change,
  changeChannel,
  createChannel,
  deleteChannel,
  findChannel,
  listChannels,
  newChannelId,
  type StoredChannel,
} from "../store/notifications.ts";
import type { Page, PageRequest } from "../store/page.ts";
import {
  type ChannelSettings,
  changedSettings,
  changeSettings,
  channelSettings,
  type PartialSettings,
  secretFields,
  splitSettings,
} from "./channel.ts";
import type { Notification } from "./content.ts";
import type { Courier } from "./courier.ts";
import type { Outcome } from "./retry.ts";
import { openSettings, ownerOf } from "./stored.ts";
import { checkTemplate, TemplateError, type TemplateTexts } from "./template.ts";

/** What managing channels needs. */
export interface ChannelsOptions {
  readonly database: Pick<Database, "connection">;
  readonly courier: Courier;
  readonly box: SecretBox;
  readonly clock: Clock;
}

/** A channel without its secrets. */
export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  /** All settings that aren't secret. */
  readonly settings: JsonObject;
  /** The names of the settings that are secret. */
  readonly secretSettings: readonly string[];
  /** Whether any of those is set. */
  readonly hasSecret: boolean;
  readonly enabled: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly lastSentAt: Date | null;
  /** Why the last message wasn't delivered; "" if it was. */
  readonly lastError: string;
  readonly lastErrorAt: Date | null;
  /** When an unavailable service is tried again; null for now. */
  readonly retryAt: Date | null;
}

/** What can be changed. */
export interface ChannelChange {
  readonly name?: string;
  readonly enabled?: boolean;
  /** Those that aren't here stay, unless the secrets would go elsewhere. */
  readonly settings?: PartialSettings;
}

/** Manages channels. All methods throw a Problem for what's wrong with a request. */
export class Channels {
  readonly #options: ChannelsOptions;

  constructor(options: ChannelsOptions) {
    this.#options = options;
  }

  /** Resolves to the ID of the new channel. */
  async create({ name, enabled, settings }: Required<ChannelChange>, by: Change["by"]): Promise<string> {
    const { database, clock } = this.#options;
    const now = clock.now();
    const checked = parsed(() => channelSettings.parse(settings));
    const id = newChannelId(now);
    const row = { id, kind: checked.kind, name, enabled, ...this.#seal(id, checked) };
    await createChannel(database.connection, row, { by, now });
    return id;
  }

  /** Resolves to the names of the settings that changed. */
  async change(id: string, { name, enabled, settings }: ChannelChange): Promise<readonly string[]> {
    const { database, clock } = this.#options;
    const { row, names } = this.#changed(await this.#find(id), settings);
    await changeChannel(database.connection, id, {
      now: clock.now(),
      ...row,
      ...(name === undefined ? {} : { name }),
      ...(enabled === undefined ? {} : { enabled }),
    });
    return names;
  }

  async delete(id: string): Promise<void> {
    if (!(await deleteChannel(this.#options.database.connection, id))) {
      throw missing();
    }
  }

  async get(id: string): Promise<Channel> {
    return shown(await this.#find(id));
  }

  async list(page: PageRequest<"name">): Promise<Page<Channel>> {
    const { items, next } = await listChannels(this.#options.database.connection, page);
    return { items: items.map(shown), next };
  }

  /** Sends an example through a channel, with the templates of a rule; resolves to what the service made of it. */
  async test(id: string, template: TemplateTexts, signal: AbortSignal): Promise<Outcome> {
    return this.#test(this.#open(await this.#find(id)), template, signal);
  }

  /** Does the same with settings that aren't stored. */
  async testSettings(settings: unknown, template: TemplateTexts, signal: AbortSignal): Promise<Outcome> {
    return this.#test(
      parsed(() => channelSettings.parse(settings)),
      template,
      signal,
    );
  }

  #test(settings: ChannelSettings, template: TemplateTexts, signal: AbortSignal): Promise<Outcome> {
    const { courier, clock } = this.#options;
    requireTemplates(template);
    const now = clock.now();
    return courier.deliver(sampleNotification(newChannelId(now), template, now), settings, signal);
  }

  async #find(id: string): Promise<StoredChannel> {
    const stored = await findChannel(this.#options.database.connection, id);
    if (stored === undefined) {
      throw missing();
    }
    return stored;
  }

  #changed(stored: StoredChannel, changes: PartialSettings | undefined) {
    if (changes === undefined) {
      return { row: {}, names: [] };
    }
    const before = this.#open(stored);
    const after = parsed(() => changeSettings(before, changes));
    return { row: this.#seal(stored.id, after), names: changedSettings(before, after) };
  }

  #seal(id: string, settings: ChannelSettings): { readonly settings: string; readonly secret: string } {
    const { shown, secrets } = splitSettings(settings);
    return {
      settings: JSON.stringify(shown),
      secret:
        Object.keys(secrets).length === 0 ? "" : this.#options.box.seal(JSON.stringify(secrets), ownerOf(id)),
    };
  }

  #open({ id, settings, secret }: StoredChannel): ChannelSettings {
    try {
      return openSettings({ channelId: id, settings, secret }, this.#options.box);
    } catch (error) {
      if (error instanceof SecretBoxError) {
        throw new Problem("refused", `The secrets of the channel can't be used: ${error.message}.`, {
          advice: "Start the console with the key file that it had, or make the channel again.",
          cause: error,
        });
      }
      throw error;
    }
  }
}

/** Throws a Problem that names the template if one can't be used. */
export function requireTemplates({ title, text }: TemplateTexts): void {
  for (const [field, template] of Object.entries({ title, text })) {
    try {
      checkTemplate(template ?? "");
    } catch (error) {
      if (error instanceof TemplateError) {
        throw new Problem("invalid", `The template can't be used: ${error.message}.`, {
          advice: "Correct the template.",
          fields: { [field]: error.message },
          cause: error,
        });
      }
      throw error;
    }
  }
}

function shown(stored: StoredChannel): Channel {
  const { id, name, kind, settings, enabled, createdAt, updatedAt } = stored;
  const { lastSentAt, lastError, lastErrorAt, retryAt } = stored;
  const secrets: Readonly<Record<string, readonly string[]>> = secretFields;
  return {
    id,
    name,
    kind,
    settings: isJsonObject(settings) ? settings : {},
    secretSettings: secrets[kind] ?? [],
    hasSecret: stored.secret !== "",
    enabled,
    createdAt,
    updatedAt,
    lastSentAt,
    lastError,
    lastErrorAt,
    retryAt,
  };
}

/** Zod's messages name the field and what it must be, and never repeat the value. */
function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof ZodError)) {
      throw error;
    }
    const fields = Object.fromEntries(error.issues.map(({ path, message }) => [path.join("."), message]));
    throw new Problem("invalid", "The settings of the channel aren't valid.", {
      advice: "Correct the fields that are named.",
      fields,
    });
  }
}

function missing(): Problem {
  return new Problem("not-found", "There is no such channel.", {
    advice: "Look at the list of channels: somebody may have deleted it.",
  });
}

/** A notification to try a channel with: it says that it's one. It names no commit, so it sets no status. */
function sampleNotification(id: string, template: TemplateTexts, now: number): Notification {
  return {
    id: `msg_${id}`,
    template,
    events: [
      {
        id: 0,
        instance: { id: "", name: "test" },
        type: "test",
        severity: "info",
        namespaces: ["default"],
        workloads: ["default:deployment/helloworld"],
        revision: "",
        message: "This is a test of the notifications of weir-console. Nothing happened.",
        at: new Date(now),
        link: "",
      },
    ],
  };
}

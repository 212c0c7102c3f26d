import { type Channel, channelKind } from "../contract/notifications.ts";
import type { Channels, Channel as KeptChannel } from "../notify/channels.ts";
import type { Outcome } from "../notify/retry.ts";
import type { Handlers } from "./call.ts";
import { allPages, answeredTime } from "./page.ts";

type Names = "channels" | "createChannel" | "changeChannel" | "removeChannel" | "testChannel" | "trySettings";

/** Manages where notifications go. Secret settings are taken, but never answered. */
export function channelHandlers(channels: Channels): Pick<Handlers, Names> {
  return {
    channels: async () => ({ rows: (await allPages(byName, (page) => channels.list(page))).map(answered) }),
    createChannel: async ({ actor, body: { name, kind, settings }, audit }) => {
      const id = await channels.create(
        { name, enabled: true, settings: { ...settings, kind } },
        actor.userId,
      );
      audit({ subject: id, detail: { kind } });
      return answered(await channels.get(id));
    },
    changeChannel: async ({ path, body: { name, settings, enabled }, audit }) => {
      const changed = await channels.change(path.channel, {
        ...(name === undefined ? {} : { name }),
        ...(settings === undefined ? {} : { settings }),
        ...(enabled === undefined ? {} : { enabled }),
      });
      audit({ detail: settings === undefined ? {} : { settings: [...changed] } });
      return answered(await channels.get(path.channel));
    },
    removeChannel: async ({ path }) => {
      await channels.delete(path.channel);
    },
    testChannel: async ({ path, signal }) => answeredTest(await channels.test(path.channel, {}, signal)),
    trySettings: async ({ body: { kind, settings }, signal }) =>
      answeredTest(await channels.testSettings({ ...settings, kind }, {}, signal)),
  };
}

/** What a service made of a sample. */
export function answeredTest(outcome: Outcome): { delivered: boolean; answer: string } {
  return outcome.kind === "delivered"
    ? { delivered: true, answer: outcome.answer }
    : { delivered: false, answer: outcome.reason };
}

const byName = { sort: "name", descending: false } as const;

function answered(kept: KeptChannel): Channel {
  return {
    id: kept.id,
    name: kept.name,
    kind: channelKind.parse(kept.kind),
    settings: Object.fromEntries(
      Object.entries(kept.settings).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
    hasSecret: kept.hasSecret,
    enabled: kept.enabled,
    lastSentAt: answeredTime(kept.lastSentAt),
    lastError: kept.lastError,
    lastErrorAt: answeredTime(kept.lastErrorAt),
  };
}

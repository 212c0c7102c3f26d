import type { Clock } from "@weir/base";
import type { Rule } from "../contract/notifications.ts";
import { type Channels, requireTemplates } from "../notify/channels.ts";
import { groupings } from "../notify/rule.ts";
import { templateOf } from "../notify/stored.ts";
import { Problem } from "../problem/problem.ts";
import { listDeliveries, type StoredDelivery } from "../store/deliveries.ts";
import {
  changeRule,
  createRule,
  deleteRule,
  findRule,
  listRules,
  type RuleValues,
  type StoredRule,
} from "../store/notifications.ts";
import type { Connection } from "../store/schema.ts";
import type { Handlers } from "./call.ts";
import { answeredTest } from "./channels.ts";
import { allPages, answeredPage, answeredTime, pageRequest } from "./page.ts";

type Names = "rules" | "createRule" | "changeRule" | "removeRule" | "testRule" | "deliveries";

/** What managing rules needs. */
export interface RuleOptions {
  readonly connection: Connection;
  readonly channels: Channels;
  readonly clock: Clock;
}

/** Manages which events go to which channel, and answers what became of them. */
export function ruleHandlers({ connection, channels, clock }: RuleOptions): Pick<Handlers, Names> {
  const find = async (id: string): Promise<StoredRule> => {
    const found = await findRule(connection, id);
    if (found === undefined) {
      throw missing();
    }
    return found;
  };
  return {
    rules: async () => ({
      rows: (await allPages(byName, (page) => listRules(connection, page))).map(answeredRule),
    }),
    createRule: async ({ actor, body, audit }) => {
      const change = { by: actor.userId, now: clock.now() };
      const id = await createRule(connection, checkedValues(body), change);
      audit({ subject: id });
      return answeredRule(await find(id));
    },
    changeRule: async ({ path, body }) => {
      const { id, ...before } = answeredRule(await find(path.rule));
      const changes = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
      const values = checkedValues({ ...before, ...changes });
      await changeRule(connection, id, { ...values, now: clock.now() });
      return answeredRule(await find(id));
    },
    removeRule: async ({ path }) => {
      if (!(await deleteRule(connection, path.rule))) {
        throw missing();
      }
    },
    testRule: async ({ path, signal }) => {
      const rule = await find(path.rule);
      return answeredTest(await channels.test(rule.channelId, templateOf(rule), signal));
    },
    deliveries: async ({ query: { channel, state, ...page } }) => {
      const request = pageRequest({ ...page, sort: "newest" }, { newest: ["created", "descending"] });
      return answeredPage(
        await listDeliveries(connection, { channelId: channel, state }, request),
        answeredDelivery,
      );
    },
  };
}

const byName = { sort: "name", descending: false } as const;

/** The values to store. Throws a Problem if the template can't be used. */
function checkedValues({ title, template, ...rule }: Omit<Rule, "id">): RuleValues {
  requireTemplates({ title: title ?? "", text: template ?? "" });
  return { ...rule, title: title ?? "", body: template ?? "" };
}

function answeredRule(stored: StoredRule): Rule {
  const { id, name, channelId, enabled, instances, namespaces, eventTypes, severities, title, body } = stored;
  return {
    ...{ id, name, channelId, enabled },
    instances: [...instances],
    namespaces: [...namespaces],
    eventTypes: [...eventTypes],
    severities: [...severities],
    title: title === "" ? null : title,
    template: body === "" ? null : body,
    groupBy: groupings.filter((each) => stored.groupBy.includes(each)),
    groupSeconds: stored.groupSeconds,
  };
}

function answeredDelivery({ result, createdAt, endedAt, ...stored }: StoredDelivery) {
  return {
    ...stored,
    createdAt: answeredTime(createdAt),
    endedAt: answeredTime(endedAt),
    error: stored.state === "sent" ? "" : result,
  };
}

function missing(): Problem {
  return new Problem("not-found", "There is no such rule.", {
    advice: "Look at the list of rules: somebody may have removed it.",
  });
}

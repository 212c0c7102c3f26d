import { type Clock, isJsonArray, isJsonObject, version } from "@weir/base";
import { createMetricsRegistry } from "@weir/base/prometheus";
import type { Bus } from "../bus/bus.ts";
import { topics } from "../daemons/ports.ts";
import { countDeliveries, countJobs } from "../store/counts.ts";
import type { Connection } from "../store/schema.ts";
import { allConsoleMetrics, consoleMetrics, processMetrics, type RequestKind } from "./metrics.ts";
import { sharedAnswer } from "./shared-answer.ts";

/** Where the numbers come from that are read when they are asked for. */
export interface MeasuredParts {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly connections: () => number;
  readonly streams: () => number;
}

/** The metrics of a console that runs. */
export interface ConsoleMetrics {
  readonly addEvents: (count: number) => void;
  readonly observeRequest: (of: RequestKind, status: number, seconds: number) => void;
  /** Everything as Prometheus reads it; without what's in the database if that can't be read. */
  readonly exposition: () => Promise<{ readonly contentType: string; readonly body: string }>;
}

/** A bus that counts the events that this console says it has stored. */
export function countingEvents(bus: Bus, { addEvents }: Pick<ConsoleMetrics, "addEvents">): Bus {
  return {
    subscribe: (topic, handler) => bus.subscribe(topic, handler),
    onGap: (handler) => bus.onGap(handler),
    publish: async (topic, message, transaction) => {
      const ids = topic === topics.events && isJsonObject(message) ? message["ids"] : undefined;
      addEvents(isJsonArray(ids) ? ids.length : 0);
      await bus.publish(topic, message, transaction);
    },
  };
}

/** How old numbers may be that the database has to count, in milliseconds: anybody may ask for them. */
const countingMs = 10_000;

const classes = ["2xx", "3xx", "4xx", "5xx"] as const;

/** Begins to measure. */
export function openConsoleMetrics({
  connection,
  clock,
  connections,
  streams,
}: MeasuredParts): ConsoleMetrics {
  const registry = createMetricsRegistry(allConsoleMetrics);
  registry.collected(consoleMetrics.connections, connections);
  registry.collected(consoleMetrics.streams, streams);
  registry.gauge(processMetrics.build).set({ version }, 1);
  registry.collected(processMetrics.memory, () => process.memoryUsage.rss());
  registry.collected(processMetrics.cpu, () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  registry.collected(processMetrics.start, () => performance.timeOrigin / 1000);
  const events = registry.counter(consoleMetrics.events);
  const requests = registry.histogram(consoleMetrics.requests);
  const jobs = registry.gauge(consoleMetrics.jobs);
  const notifications = registry.gauge(consoleMetrics.notifications);
  const countNow = async (): Promise<void> => {
    const [ofJobs, ofDeliveries] = await Promise.all([countJobs(connection), countDeliveries(connection)]);
    consoleMetrics.jobs.labels.state.forEach((state) => jobs.set({ state }, ofJobs[state] ?? 0));
    consoleMetrics.notifications.labels.state.forEach((state) =>
      notifications.set({ state }, ofDeliveries[state] ?? 0),
    );
  };
  const count = sharedAnswer(countNow, { clock, ms: countingMs });
  events.add({}, 0);
  return {
    addEvents: (added) => events.add({}, added),
    observeRequest: (of, status, seconds) => {
      const [other, ...known] = classes;
      const found = known.find((each) => each.startsWith(String(Math.trunc(status / 100))));
      requests.observe({ of, status: found ?? other }, seconds);
    },
    exposition: async () => {
      await count().catch(() => undefined);
      return { contentType: registry.contentType, body: await registry.exposition() };
    },
  };
}

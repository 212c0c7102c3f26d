import type { QueryClient } from "@tanstack/react-query";
import type { Api } from "../api/api.ts";
import { answerQuery, pagesQuery } from "../api/use-answer.ts";
import { suspendedInstances, waitingJobs } from "../shell/questions.ts";
import { readFilters } from "../state/filters.ts";
import { instanceFilters, instanceQueryOf } from "./instances/instance-filters.ts";
import { timelineFilters, timelineQueryOf } from "./timeline/timeline-filters.ts";
import { workloadFilters, workloadRequestsOf } from "./workloads/workload-filters.ts";

/** Who asks, and keeps the answers. */
interface Asker {
  readonly queries: QueryClient;
  readonly api: Api;
}

/** Asks what a list shows first: its rows, and then what is drawn around them. */
type AskForList = (search: string, asker: Asker) => readonly [Promise<unknown>, ...Promise<unknown>[]];

const askForInstances: AskForList = (search, { queries, api }) => [
  queries.infiniteQuery(pagesQuery(api, "instances", instanceQueryOf(readFilters(search, instanceFilters)))),
];

/** The lists from which people go on, by their paths. */
const lists: Readonly<Record<string, AskForList>> = {
  "/": askForInstances,
  "/instances": askForInstances,
  "/workloads": (search, { queries, api }) => {
    const { list, facets } = workloadRequestsOf(readFilters(search, workloadFilters));
    return [
      queries.query(answerQuery(api, "workloads", list)),
      queries.query(answerQuery(api, "workloadFacets", facets)),
    ];
  },
  "/timeline": (search, { queries, api }) => [
    queries.infiniteQuery(pagesQuery(api, "events", timelineQueryOf(readFilters(search, timelineFilters)))),
  ],
};

/**
 * Asks for what the page shows first at an address, before it's drawn. Resolves when a list has rows to draw. Never
 * rejects: what failed is asked for again by what shows it, which says so.
 */
export async function askFirst(
  { pathname, search }: Pick<URL, "pathname" | "search">,
  asker: Asker,
): Promise<void> {
  const { queries, api } = asker;
  const [rows, ...others] = lists[pathname]?.(search, asker) ?? [];
  const shell = [
    queries.query(answerQuery(api, "jobs", waitingJobs)),
    queries.query(answerQuery(api, "instances", suspendedInstances)),
  ];
  void Promise.allSettled([...others, ...shell]);
  await rows?.catch(() => undefined);
}

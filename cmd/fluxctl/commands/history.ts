import { bool, flagsOf, int, list, text } from "@weir/cli";
import { parseResourceIdIn } from "@weir/flux";
import {
  encodeHistory,
  type HistoryEntry,
  type HistoryPage,
  type HistoryQuery,
  historyKinds,
} from "@weir/flux/api";
import type { ApiClient } from "@weir/flux/client";
import { type Command, type CommandContext, UsageError } from "../command.ts";
import { requireWeir } from "../daemon/require-weir.ts";
import { choiceOf } from "../flags/choice.ts";
import { namespaceOr } from "../flags/namespace.ts";
import { sinceOf } from "../flags/since.ts";
import { declareOutputFormat, outputFormatOf, printAs } from "../output/format.ts";
import { printHistory } from "../output/history.ts";

/** `fluxctl history`: shows what happened, newest first: commits with their causes, and syncs that changed something. */
export function historyCommand(): Command {
  const flags = declareFlags();
  return {
    use: "history [WORKLOAD]",
    long: `Show what happened, newest first: commits, releases, policy changes, and undone commits, from the git log of the
synced paths and fluxd's notes on it; syncs that changed the cluster; and drift, that is, changes that somebody made in
the cluster and that fluxd put back. With a workload or another resource, only what changed that resource.
The history of syncs is limited in size, and is kept in the Secret of fluxd's SSH key. If fluxd doesn't run in a pod, it
begins again with each start.
If there's more, the last line (on stderr) says how to get it.`,
    example: `  fluxctl history
  fluxctl history default:deployment/foo --since 7d
  fluxctl history -n default --kind release,autorelease -o wide`,
    flags: flagsOf(flags),
    async run(args, context) {
      const format = outputFormatOf(flags.outputFormat.value);
      const query = await queryOf(args, flags, context);
      const client = await context.connect();
      const page = await context.waitFor("the history", () => read(query, client, context));
      const headers = !flags.noHeaders.value;
      const { paint } = context;
      context.out(
        await printAs(format, {
          isEmpty: page.entries.length === 0,
          json: () => encodeHistory(page),
          table: (wide) => printHistory(page.entries, { headers, wide, paint }),
          names: () => [...new Set(page.entries.map(({ revision }) => revision))],
        }),
      );
      if (page.next !== "" && format !== "json" && format !== "yaml") {
        context.err(`There is more; for the next page, add --before ${page.next}\n`);
      }
    },
  };
}

type HistoryFlags = ReturnType<typeof declareFlags>;

function declareFlags() {
  return {
    namespace: text("namespace", {
      usage: "Show what changed resources of this namespace; with a workload, its namespace",
      shorthand: "n",
    }),
    kind: list("kind", { usage: `Show these kinds only (${historyKinds.join(", ")})` }),
    since: text("since", {
      usage:
        "Show what happened since then: an age such as 90m, 24h, or 7d, or a time such as 2026-01-31T08:00:00Z",
    }),
    limit: int("limit", { default: 20, usage: "How many entries to show at most" }),
    before: text("before", { usage: "Continue where an earlier page ended, with what was printed there" }),
    noHeaders: bool("no-headers", { usage: "Don't print headers (default print headers)" }),
    outputFormat: declareOutputFormat(),
  };
}

async function queryOf(
  args: readonly string[],
  { namespace, kind, since, limit, before }: HistoryFlags,
  context: CommandContext,
): Promise<HistoryQuery> {
  const [workload, ...others] = args;
  if (others.length > 0) {
    throw new UsageError("expected one workload at most");
  }
  if (limit.value < 1) {
    throw new UsageError("--limit must be at least 1");
  }
  return {
    before: before.value,
    limit: limit.value,
    resource:
      workload === undefined ? "" : parseResourceIdIn(await namespaceOr(namespace.value, context), workload),
    namespace: workload === undefined ? namespace.value : "",
    kinds: kind.value.map((each) => choiceOf(historyKinds, each, "kind")),
    since: since.value === "" ? undefined : sinceOf(since.value, context.clock.now()),
  };
}

/** Asks until there are as many entries as requested, since the daemon looks only so far each time. */
async function read(
  query: HistoryQuery,
  client: ApiClient,
  { signal }: CommandContext,
): Promise<HistoryPage> {
  const entries: HistoryEntry[] = [];
  for (let { before } = query; ; ) {
    const limit = query.limit - entries.length;
    const page = await requireWeir("`fluxctl history`", client.history({ ...query, before, limit }, signal));
    entries.push(...page.entries);
    before = page.next;
    if (before === "" || entries.length >= query.limit) {
      return { entries, next: before };
    }
  }
}

import type { LoggedEvent } from "../../../src/api/types/inspection.ts";
import { encodeLoggedEvents } from "../../../src/api/types/v12-events.ts";
import { bool, flagsOf, text } from "../../../src/base/cli/declare.ts";
import { stringifyGoJson } from "../../../src/base/go-json.ts";
import { parseResourceIdIn, type ResourceId } from "../../../src/resource/id.ts";
import { type Command, type CommandContext, refuseArguments, UsageError } from "../command.ts";
import { inspecting } from "../inspecting.ts";
import { namespaceOr } from "../namespace.ts";
import { printEvents } from "../output/events.ts";
import { checkOutputFormat } from "../output/format.ts";

const types = ["sync", "commit", "release", "autorelease", "failure"];

/** How long the daemon is asked to wait for news, in milliseconds, before it is asked again. */
const waitMs = 30_000;

/** `fluxctl events`: what the daemon did lately, and with --watch what it does from now on. */
export function eventsCommand(): Command {
  const flags = declareFlags();
  return {
    use: "events",
    example: `  fluxctl events
  fluxctl events --watch --workload default:deployment/foo
  fluxctl events --type failure`,
    flags: flagsOf(flags),
    async run(args, context) {
      refuseArguments(args);
      checkOutputFormat(flags.outputFormat.value);
      checkType(flags.type.value);
      const isWanted = await filterOf(flags, context);
      const client = await context.connect();
      const print = printerOf(flags);
      for (let query = { after: 0, waitMs: 0 }; ; query = { ...query, waitMs }) {
        const events = await inspecting("events", client.events(query, context.signal));
        context.out(print(events.filter(isWanted)));
        if (!flags.watch.value) {
          return;
        }
        query.after = events.at(-1)?.id ?? query.after;
      }
    },
  };
}

type EventsFlags = ReturnType<typeof declareFlags>;
type Filter = (event: LoggedEvent) => boolean;

function declareFlags() {
  return {
    namespace: text("namespace", "", "Namespace of the workload", { shorthand: "n" }),
    workload: text("workload", "", "Show events of this workload only", { shorthand: "w" }),
    type: text("type", "", `Show events of this type only (${types.join(", ")})`),
    watch: bool("watch", false, "Go on, and show new events as they come"),
    noHeaders: bool("no-headers", false, "Don't print headers (default print headers)"),
    outputFormat: text("output-format", "tab", "Output format (tab or json)", { shorthand: "o" }),
  };
}

function checkType(type: string): void {
  if (type !== "" && !types.includes(type)) {
    throw new UsageError(
      `there are no events of type ${JSON.stringify(type)}: it is one of ${types.join(", ")}`,
    );
  }
}

async function filterOf(
  { namespace, workload, type }: EventsFlags,
  context: CommandContext,
): Promise<Filter> {
  const id = workload.value === "" ? undefined : await idOf(namespace.value, workload.value, context);
  return (event) =>
    (id === undefined || event.workloads.includes(id)) && (type.value === "" || event.type === type.value);
}

async function idOf(namespace: string, workload: string, context: CommandContext): Promise<ResourceId> {
  return parseResourceIdIn(await namespaceOr(namespace, context), workload);
}

/** Prints events as they come; headings stand above the first ones only. */
function printerOf({ outputFormat, noHeaders }: EventsFlags): (events: readonly LoggedEvent[]) => string {
  // One a line, so that whoever reads them as they come need not find the end of a list.
  if (outputFormat.value === "json") {
    return (events) =>
      encodeLoggedEvents(events)
        .map((event) => `${stringifyGoJson(event, { sortKeys: false })}\n`)
        .join("");
  }
  let headers = !noHeaders.value;
  return (events) => {
    const text = printEvents(events, headers);
    headers = false;
    return text;
  };
}

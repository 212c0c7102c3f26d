import { bool, flagsOf, text } from "@weir/cli";
import { parseResourceIdIn, type ResourceId } from "@weir/flux";
import { encodeLoggedEvents, type LoggedEvent } from "@weir/flux/api";
import { type Command, type CommandContext, refuseArguments } from "../command.ts";
import { requireWeir } from "../daemon/require-weir.ts";
import { choiceOf } from "../flags/choice.ts";
import { namespaceOr } from "../flags/namespace.ts";
import { printEvents } from "../output/events.ts";
import { declareOutputFormat, outputFormatOf, type Printable, printAs } from "../output/format.ts";

const types = ["sync", "commit", "release", "autorelease", "drift", "suspend", "resume", "failure"];

/** How long the daemon waits for events before it's asked again, in milliseconds. */
const waitMs = 30_000;

/** `fluxctl events`: shows the recent events of the daemon, and with --watch also new ones. */
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
      checkType(flags.type.value);
      const format = outputFormatOf(flags.outputFormat.value);
      const isWanted = await filterOf(flags, context);
      const client = await context.connect();
      let headers = !flags.noHeaders.value;
      for (let query = { after: 0, waitMs: 0 }; ; query = { ...query, waitMs }) {
        const events = await requireWeir("`fluxctl events`", client.events(query, context.signal));
        const wanted = events.filter(isWanted);
        if (wanted.length > 0 || !flags.watch.value) {
          context.out(await printAs(format, printable(wanted, headers, context)));
          headers = false;
        }
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
    namespace: text("namespace", { usage: "Namespace of the workload", shorthand: "n" }),
    workload: text("workload", { usage: "Show events of this workload only", shorthand: "w" }),
    type: text("type", { usage: `Show events of this type only (${types.join(", ")})`, values: types }),
    watch: bool("watch", { usage: "Keep running, and show new events as they occur" }),
    noHeaders: bool("no-headers", { usage: "Don't print headers (default print headers)" }),
    outputFormat: declareOutputFormat(),
  };
}

function checkType(type: string): void {
  if (type !== "") {
    choiceOf(types, type, "event type");
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

function printable(events: readonly LoggedEvent[], headers: boolean, { paint }: CommandContext): Printable {
  return {
    isEmpty: events.length === 0,
    json: () => encodeLoggedEvents(events),
    table: (wide) => printEvents(events, { headers, wide, paint }),
    names: () => events.map(({ id }) => String(id)),
  };
}

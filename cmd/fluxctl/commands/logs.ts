import { bool, duration, flagsOf, int, text } from "@weir/cli";
import { type Command, UsageError } from "../command.ts";
import type { LogOptions } from "../logs/logs.ts";

/** The usual number of containers that are followed at the same time. */
const usualStreams = 50;

/** `fluxctl logs`: prints the logs of a workload's pods. */
export function logsCommand(): Command {
  const flags = declareFlags();
  return {
    use: "logs WORKLOAD",
    long: `Print the logs of all pods of a workload: a Deployment, StatefulSet, DaemonSet, Job or CronJob. Each line begins
with the pod and the container. With --follow, also print what is logged from now on, by pods that start later too,
until you press Ctrl-C or, for a Job, until it has ended.
Logs are read from the API server with your own kubeconfig and permissions, not through fluxd; --url is not used.`,
    example: `  fluxctl logs deployment/foo
  fluxctl logs default:deployment/foo -c main --follow --since 10m
  fluxctl logs deployment/foo --previous --tail 20`,
    flags: flagsOf(flags),
    async run(args, context) {
      const options = optionsOf(flags, args);
      const { showLogs } = await import("../logs/logs.ts");
      await showLogs(options, context);
    },
  };
}

function declareFlags() {
  return {
    namespace: text("namespace", { usage: "Namespace of a workload given without one", shorthand: "n" }),
    container: text("container", { usage: "Print the log of this container only", shorthand: "c" }),
    follow: bool("follow", { usage: "Keep running, and print what is logged from now on", shorthand: "f" }),
    since: duration("since", { usage: "Print only what was logged in this time, e.g. 10m" }),
    sinceTime: text("since-time", {
      usage: "Print only what was logged since this time, e.g. 2026-01-31T12:00:00Z",
    }),
    tail: int("tail", {
      default: -1,
      usage: "Number of lines of each container to begin with (-1 for all)",
    }),
    timestamps: bool("timestamps", { usage: "Print the time of each line" }),
    previous: bool("previous", { usage: "Print the logs of the containers before their last restart" }),
    prefix: bool("prefix", { default: true, usage: "Begin each line with the pod and the container" }),
    streams: int("max-log-requests", {
      default: usualStreams,
      usage: "With --follow, the `number` of containers that are followed at the same time",
    }),
  };
}

function optionsOf(flags: ReturnType<typeof declareFlags>, args: readonly string[]): LogOptions {
  const [workload, ...others] = args;
  if (workload === undefined || others.length > 0) {
    throw new UsageError("name one workload, as in fluxctl logs default:deployment/foo");
  }
  const { since, sinceTime, follow, previous, tail, streams } = flags;
  if (since.isSet && sinceTime.value !== "") {
    throw new UsageError("use either --since or --since-time, not both");
  }
  if (since.isSet && since.value <= 0) {
    throw new UsageError("--since must be greater than 0, e.g. --since=10m");
  }
  if (sinceTime.value !== "" && !isTime(sinceTime.value)) {
    throw new UsageError(`--since-time must be a time like 2026-01-31T12:00:00Z, not ${sinceTime.value}`);
  }
  if (follow.value && previous.value) {
    throw new UsageError("use either --follow or --previous, not both: what is over can't be followed");
  }
  if (tail.value < -1) {
    throw new UsageError("--tail must be -1 or greater");
  }
  if (streams.value < 1) {
    throw new UsageError("--max-log-requests must be at least 1");
  }
  return {
    workload,
    namespace: flags.namespace.value,
    container: flags.container.value,
    follow: follow.value,
    previous: previous.value,
    sinceMs: since.isSet ? since.value : undefined,
    sinceTime: sinceTime.value === "" ? undefined : sinceTime.value,
    tail: tail.value < 0 ? undefined : tail.value,
    timestamps: flags.timestamps.value,
    prefix: flags.prefix.value,
    streams: streams.value,
  };
}

/** RFC 3339, as the API server takes it. */
function isTime(given: string): boolean {
  return (
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(given) &&
    !Number.isNaN(Date.parse(given))
  );
}

import { memo, type ReactNode } from "react";
import type { ConsoleEvent } from "../../../src/contract/events.ts";
import { eventAt, instanceAt, workloadAt } from "../../state/addresses.ts";
import { shortRevision } from "../../text/image.ts";
import { clockTime, exactTime } from "../../text/time.ts";
import type { Tone } from "../../text/words.ts";
import { isWorkloadId } from "../../text/workload-id.ts";
import { Badge } from "../../ui/badge.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { Link } from "../../ui/link.tsx";

export const severityTones: Readonly<Record<ConsoleEvent["severity"], Tone>> = {
  info: "quiet",
  warning: "warning",
  error: "bad",
};

const icons: Readonly<Record<string, IconName>> = {
  sync: "sync",
  commit: "git",
  release: "up",
  autorelease: "robot",
  drift: "warning",
  failure: "error",
  suspend: "pause",
  resume: "play",
  disconnect: "offline",
  connect: "check",
};

/** How many workloads an event links to before it only counts them. */
const mostLinked = 2;

/** Events, one a line. */
export function EventList({
  events,
  withInstance = false,
}: {
  readonly events: readonly ConsoleEvent[];
  readonly withInstance?: boolean;
}): ReactNode {
  return (
    <ol className="events">
      {events.map((event) => (
        <EventItem key={event.id} event={event} withInstance={withInstance} />
      ))}
    </ol>
  );
}

/** Kept as it is while only other events come: hundreds may be shown when the next one arrives. */
const EventItem = memo(function EventItem({
  event: { id, type, severity, at, message, revision, workloads, instance },
  withInstance,
}: {
  readonly event: ConsoleEvent;
  readonly withInstance: boolean;
}): ReactNode {
  // A sync names all resources; only workloads have a screen.
  const linked = workloads.filter(isWorkloadId);
  return (
    <li className={severityTones[severity]}>
      <Link to={eventAt(id)}>
        <time dateTime={at} title={exactTime(at)}>
          {clockTime(at)}
        </time>
      </Link>
      <span className="event-icon">
        <Icon name={icons[type] ?? "info"} />
      </span>
      <div>
        <p className="message break">
          {severity !== "info" && <Badge tone={severityTones[severity]}>{severity}</Badge>}
          {message}
        </p>
        <p className="under">
          {withInstance && <Link to={instanceAt(instance.id)}>{instance.name}</Link>}
          <span>{type}</span>
          {revision !== "" && <code>{shortRevision(revision)}</code>}
          {linked.slice(0, mostLinked).map((workload) => (
            <Link key={workload} to={workloadAt({ instance: instance.id, workload })} className="break">
              {workload}
            </Link>
          ))}
          {linked.length > mostLinked && <span>{`and ${linked.length - mostLinked} more`}</span>}
        </p>
      </div>
    </li>
  );
});

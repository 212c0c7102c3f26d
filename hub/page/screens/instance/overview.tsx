import type { ReactNode } from "react";
import type { Instance } from "../../../src/contract/instances.ts";
import { useAnswer, usePages } from "../../api/use-answer.ts";
import { shortRevision } from "../../text/image.ts";
import { syncWords } from "../../text/words.ts";
import { Status } from "../../ui/badge.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Facts } from "../../ui/facts.tsx";
import { HealthBar } from "../../ui/health-bar.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Link } from "../../ui/link.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Section } from "../../ui/section.tsx";
import { When } from "../../ui/when.tsx";
import { EventList } from "../events/event-list.tsx";
import { daemonText } from "../instances/instance-row.tsx";

/** How many events are shown. */
const mostEvents = 12;

/** The state of an instance at a glance. */
export function Overview({ instance }: { readonly instance: Instance }): ReactNode {
  const { id, problem, workloads } = instance;
  const only = new URLSearchParams({ instance: id }).toString();
  const events = usePages("events", { instance: [id], limit: mostEvents });
  return (
    <>
      {problem !== "" && (
        <p className="failure">
          <Icon name="error" />
          {problem}
        </p>
      )}
      <div className="columns">
        <Section title="State">
          <InstanceFacts instance={instance} />
        </Section>
        <Section title="Workloads" note={<Link to={`/workloads?${only}`}>Show all</Link>}>
          <div className="padded">
            <HealthBar {...workloads} />
            <ul className="plain">
              <li>
                <Link to={`/workloads?${only}&problems=true`}>With problems</Link>
              </li>
              <li>
                <Link
                  to={`/workloads?${only}&newImages=true`}
                >{`With newer images (${workloads.newImages})`}</Link>
              </li>
              <li>
                <Link to={`/workloads?${only}&policy=locked`}>Locked</Link>
              </li>
            </ul>
          </div>
        </Section>
      </div>
      <Section title="What blocks a sync">
        <Blockers id={id} />
      </Section>
      <Section title="Newest events" note={<Link to={`/timeline?${only}`}>Timeline</Link>}>
        <Loaded from={events}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty title="Nothing happened yet." />
            ) : (
              <EventList events={rows.slice(0, mostEvents)} />
            )
          }
        </Loaded>
      </Section>
    </>
  );
}

function InstanceFacts({ instance }: { readonly instance: Instance }): ReactNode {
  const { sync, git, daemon, connected, connectedAt, lastSeenAt } = instance;
  return (
    <Facts
      rows={[
        ["Sync", <Status key="sync" of={syncWords[sync.state]} />],
        [
          "Synced",
          sync.at === null ? (
            "Never"
          ) : (
            <>
              <code>{shortRevision(sync.revision)}</code> <When at={sync.at} />
            </>
          ),
        ],
        ["Newest commit", git.head === "" ? "Unknown" : <code key="head">{shortRevision(git.head)}</code>],
        [
          "Repository",
          <span key="url" className="break">
            {git.url}
          </span>,
        ],
        ["Branch", `${git.branch}${git.path === "" ? "" : ` · ${git.path}`}`],
        ["Daemon", daemonText(daemon) || "Never connected"],
        [
          connected ? "Connected" : "Last seen",
          <SeenAt key="seen" at={connected ? connectedAt : lastSeenAt} />,
        ],
      ]}
    />
  );
}

function SeenAt({ at }: { readonly at: string | null }): ReactNode {
  return at === null ? "Never" : <When at={at} />;
}

function Blockers({ id }: { readonly id: string }): ReactNode {
  const answer = useAnswer("blockers", { params: { instance: id } });
  return (
    <Loaded from={answer} lines={2}>
      {({ rows }) =>
        rows.length === 0 ? (
          <p className="fine">
            <Icon name="check" />
            Nothing does.
          </p>
        ) : (
          <ul className="blockers">
            {rows.map(({ what, why, remedy }, index) => (
              <li key={`${index} ${what}`}>
                <p className="strong break">{what}</p>
                <p className="break">{why}</p>
                {remedy !== "" && <p className="help break">{remedy}</p>}
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

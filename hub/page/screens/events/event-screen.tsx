import type { ReactNode } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { instanceAt, workloadAt } from "../../state/addresses.ts";
import { isWorkloadId } from "../../text/workload-id.ts";
import { Badge } from "../../ui/badge.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Heading } from "../../ui/heading.tsx";
import { Link } from "../../ui/link.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Section } from "../../ui/section.tsx";
import { When } from "../../ui/when.tsx";
import { severityTones } from "./event-list.tsx";

/** One event, with everything that is known of it. */
export function EventScreen({ event: id }: { readonly event: string }): ReactNode {
  const answer = useAnswer("event", { params: { event: id } });
  return (
    <Loaded from={answer} isScreen>
      {({ type, severity, at, message, revision, instance, workloads, metadata }) => (
        <>
          <Heading
            title={message}
            above={
              <>
                <Link to="/timeline">Timeline</Link> /{" "}
                <Link to={instanceAt(instance.id)}>{instance.name}</Link>
              </>
            }
            note={<Badge tone={severityTones[severity]}>{severity}</Badge>}
          />
          <Section title="Event">
            <Facts
              rows={[
                ["Type", type],
                ["Time", <When key="at" at={at} />],
                ...(revision === ""
                  ? []
                  : [
                      [
                        "Revision",
                        <code key="revision" className="break">
                          {revision}
                        </code>,
                      ] as const,
                    ]),
              ]}
            />
          </Section>
          {workloads.length > 0 && (
            <Section title={`Resources (${workloads.length})`}>
              <ul>
                {workloads.map((each) => (
                  <li key={each} className="break">
                    {isWorkloadId(each) ? (
                      <Link to={workloadAt({ instance: instance.id, workload: each })}>{each}</Link>
                    ) : (
                      each
                    )}
                  </li>
                ))}
              </ul>
            </Section>
          )}
          {metadata !== null && (
            <Section title="Details">
              <pre className="manifest" tabIndex={0}>
                {JSON.stringify(metadata, undefined, 2)}
              </pre>
            </Section>
          )}
        </>
      )}
    </Loaded>
  );
}

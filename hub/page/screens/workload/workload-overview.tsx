import type { ReactNode } from "react";
import type { Answer } from "../../../src/contract/schemas.ts";
import type { Workload } from "../../../src/contract/workloads.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { releaseAt, workloadAt } from "../../state/addresses.ts";
import { useMay } from "../../state/session.ts";
import { healthWords } from "../../text/words.ts";
import { Badge, Status } from "../../ui/badge.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Icon } from "../../ui/icon.tsx";
import { ImageName } from "../../ui/image-name.tsx";
import { Link } from "../../ui/link.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Section } from "../../ui/section.tsx";
import { Table } from "../../ui/table.tsx";
import { When } from "../../ui/when.tsx";
import { PodTable } from "./pod-table.tsx";

/** A workload at a glance: its state, its containers, and why automation does or doesn't update them. */
export function WorkloadOverview({ workload }: { readonly workload: Workload }): ReactNode {
  const address = { instance: workload.instance.id, workload: workload.id };
  const why = useAnswer("why", { params: address });
  const tree = useAnswer("tree", { params: address });
  const { instance, namespace, readOnly } = workload;
  const mayRelease = useMay("operator", { instanceId: instance.id, namespace }) && readOnly === "";
  return (
    <>
      {workload.syncError !== "" && (
        <p className="failure">
          <Icon name="error" />
          <span className="break">{`It can’t be synced: ${workload.syncError}`}</span>
        </p>
      )}
      <div className="columns">
        <Section title="State">
          <WorkloadFacts workload={workload} />
        </Section>
        <Section title="Policies">
          <PolicyFacts workload={workload} />
        </Section>
      </div>
      <Section title="Containers" note={<Link to={workloadAt(address, "images")}>All images</Link>}>
        <Table columns={["Container", "Runs", "Newest allowed"]}>
          {workload.containers.map(({ name, image, newest, newer }) => (
            <tr key={name}>
              <th scope="row" className="break" data-label="Container">
                {name}
              </th>
              <td data-label="Runs">
                <ImageName image={image} />
              </td>
              <td data-label="Newest allowed">
                {newest === "" ? (
                  <span className="help">Unknown</span>
                ) : newer === 0 ? (
                  <span className="help">Runs already</span>
                ) : (
                  <>
                    <ImageName image={newest} /> <Badge tone="busy">{`${newer} newer`}</Badge>{" "}
                    {mayRelease && (
                      <Link
                        to={releaseAt({
                          instance: address.instance,
                          workloads: [workload.id],
                          container: name,
                          image: newest,
                        })}
                      >
                        Release
                      </Link>
                    )}
                  </>
                )}
              </td>
            </tr>
          ))}
        </Table>
      </Section>
      <Section title="Why automation does or doesn’t update it">
        <Loaded from={why} lines={2}>
          {({ containers }) => <WhyList containers={containers} />}
        </Loaded>
      </Section>
      <Section title="Pods" note={<Link to={workloadAt(address, "resources")}>All resources</Link>}>
        <Loaded from={tree} lines={3}>
          {({ roots }) => <PodTable roots={roots} />}
        </Loaded>
      </Section>
    </>
  );
}

function WorkloadFacts({ workload }: { readonly workload: Workload }): ReactNode {
  const { health, status, ready, desired, changedAt, id, readOnly } = workload;
  return (
    <Facts
      rows={[
        ["Health", <Status key="health" of={healthWords[health]} />],
        ["Rollout", `${ready} of ${desired} ready${status === "" ? "" : ` · ${status}`}`],
        ["Changed", <When key="changed" at={changedAt} />],
        [
          "ID",
          <code key="id" className="break">
            {id}
          </code>,
        ],
        ...(readOnly === "" ? [] : [["Can’t be changed", readOnly] as const]),
      ]}
    />
  );
}

function PolicyFacts({ workload }: { readonly workload: Workload }): ReactNode {
  const { automated, locked, ignored, lockedReason, policies } = workload;
  const filters = Object.entries(policies).filter(([name]) => name.startsWith("tag."));
  const yesNo = (on: boolean): string => (on ? "Yes" : "No");
  return (
    <Facts
      rows={[
        ["Automated", yesNo(automated)],
        [
          "Locked",
          locked && lockedReason !== "" ? (
            <span key="locked" className="break">{`Yes: ${lockedReason}`}</span>
          ) : (
            yesNo(locked)
          ),
        ],
        ["Ignored", yesNo(ignored)],
        ...filters.map(
          ([name, filter]) =>
            [
              `Tags of ${name.slice("tag.".length)}`,
              <code key={name} className="break">
                {filter}
              </code>,
            ] as const,
        ),
      ]}
    />
  );
}

function WhyList({ containers }: { readonly containers: Answer<"why">["containers"] }): ReactNode {
  return (
    <ul className="why">
      {containers.map(({ container, verdict, reasons }) => (
        <li key={container}>
          <p>
            <code className="break">{container}</code> <span className="strong break">{verdict}</span>
          </p>
          <ul>
            {reasons.map((reason) => (
              <li key={reason} className="break">
                {reason}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

import type { ReactNode } from "react";
import type { TreeNode } from "../../../src/contract/workloads.ts";
import { useAnswer } from "../../api/use-answer.ts";
import type { WorkloadAddress } from "../../state/addresses.ts";
import { healthOf } from "../../text/words.ts";
import { Status } from "../../ui/badge.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Section } from "../../ui/section.tsx";
import { PodTable } from "./pod-table.tsx";

/** What a workload owns, with health. */
export function Resources({ address }: { readonly address: WorkloadAddress }): ReactNode {
  const tree = useAnswer("tree", { params: address });
  return (
    <Loaded from={tree}>
      {({ roots }) =>
        roots.length === 0 ? (
          <Empty title="Nothing of it is in the cluster." />
        ) : (
          <>
            <Section title="Tree">
              <div className="scroll tree" role="region" aria-label="Tree of resources" tabIndex={0}>
                <Nodes nodes={roots} />
              </div>
            </Section>
            <Section title="Pods">
              <PodTable roots={roots} />
            </Section>
          </>
        )
      }
    </Loaded>
  );
}

function Nodes({ nodes }: { readonly nodes: readonly TreeNode[] }): ReactNode {
  return (
    <ul>
      {nodes.map(({ kind, namespace, name, health, message, children }) => (
        <li key={`${kind} ${namespace}/${name}`}>
          <div className="node">
            <span className="help">{kind}</span>
            <span className="strong">{name}</span>
            <Status of={healthOf(health)} />
            {message !== "" && <span className="help">{message}</span>}
          </div>
          {children.length > 0 && <Nodes nodes={children} />}
        </li>
      ))}
    </ul>
  );
}

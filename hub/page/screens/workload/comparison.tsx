import type { ReactNode } from "react";
import type { Answer } from "../../../src/contract/schemas.ts";
import { useAnswer } from "../../api/use-answer.ts";
import type { WorkloadAddress } from "../../state/addresses.ts";
import { useFilters } from "../../state/use-location.ts";
import { DiffView } from "../../ui/diff-view.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Loaded } from "../../ui/loaded.tsx";

const views = [
  ["changes", "Changes"],
  ["git", "Git"],
  ["live", "Live"],
  ["predicted", "Predicted"],
] as const;

const filters = {
  view: { kind: "choice", values: ["changes", "git", "live", "predicted"], otherwise: "changes" },
} as const;

const absent: Readonly<Record<"git" | "live" | "predicted", string>> = {
  git: "It isn’t in git.",
  live: "It isn’t in the cluster.",
  predicted: "What the next sync makes of it isn’t known.",
};

/** A workload in git, in the cluster, and after the next sync. */
export function Comparison({ address }: { readonly address: WorkloadAddress }): ReactNode {
  const comparison = useAnswer("comparison", { params: address });
  const [{ view }, set] = useFilters(filters);
  return (
    <>
      <div className="segments" role="group" aria-label="What to show">
        {views.map(([value, text]) => (
          <button
            key={value}
            type="button"
            aria-pressed={value === view}
            onClick={() => set({ view: value })}
          >
            {text}
          </button>
        ))}
      </div>
      <Loaded from={comparison} lines={14}>
        {(data) =>
          view === "changes" ? <Changes of={data} /> : <Manifest text={data[view]} none={absent[view]} />
        }
      </Loaded>
    </>
  );
}

function Changes({ of: { changes } }: { readonly of: Answer<"comparison"> }): ReactNode {
  return changes === "" ? (
    <p className="fine">
      <Icon name="check" />
      The next sync changes nothing.
    </p>
  ) : (
    <DiffView diff={changes} label="What the next sync changes" />
  );
}

function Manifest({ text, none }: { readonly text: string | null; readonly none: string }): ReactNode {
  return text === null ? (
    <Empty title={none} />
  ) : (
    <pre className="manifest" tabIndex={0}>
      {text}
    </pre>
  );
}

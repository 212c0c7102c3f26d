import type { ReactNode } from "react";
import type { Answer } from "../../../src/contract/schemas.ts";
import type { Health } from "../../../src/contract/workloads.ts";
import { healthWords } from "../../text/words.ts";
import { type Choice, Choices } from "../../ui/choices.tsx";
import { Icon } from "../../ui/icon.tsx";
import { SearchBox } from "../../ui/search-box.tsx";
import { InstanceChoices } from "../instances/instance-choices.tsx";
import { type WorkloadFilterValues, workloadFilters } from "./workload-filters.ts";

type Facets = Answer<"workloadFacets">;

const policies: readonly Choice[] = [
  { value: "automated", text: "Automated" },
  { value: "locked", text: "Locked" },
  { value: "ignored", text: "Ignored" },
];

/** What the list of workloads is narrowed to. */
export function FilterBar({
  values,
  facets,
  onChange,
}: {
  readonly values: WorkloadFilterValues;
  readonly facets: Facets | undefined;
  readonly onChange: (change: Partial<WorkloadFilterValues>) => void;
}): ReactNode {
  return (
    <div className="filters">
      <SearchBox
        label="Search names, namespaces, and images"
        value={values.q}
        onValue={(q) => onChange({ q })}
      />
      <InstanceChoices chosen={values.instance} onChange={(instance) => onChange({ instance })} />
      <Choices
        label="Namespace"
        choices={named(facets?.namespaces)}
        chosen={values.namespace}
        onChange={(namespace) => onChange({ namespace })}
      />
      <Choices
        label="Kind"
        choices={named(facets?.kinds)}
        chosen={values.kind}
        onChange={(kind) => onChange({ kind })}
      />
      <Choices
        label="Health"
        choices={workloadFilters.health.values.map((health) => healthChoice(health, facets))}
        chosen={values.health}
        onChange={(chosen) =>
          onChange({ health: workloadFilters.health.values.filter((each) => chosen.includes(each)) })
        }
      />
      <Choices
        label="Policy"
        choices={policies}
        chosen={values.policy}
        onChange={(chosen) =>
          onChange({ policy: workloadFilters.policy.values.filter((each) => chosen.includes(each)) })
        }
      />
      <Flag label="New images" on={values.newImages} onChange={(newImages) => onChange({ newImages })} />
      <Flag label="Problems" on={values.problems} onChange={(problems) => onChange({ problems })} />
    </div>
  );
}

function Flag({
  label,
  on,
  onChange,
}: {
  readonly label: string;
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
}): ReactNode {
  return (
    <button
      type="button"
      className={on ? "button active" : "button"}
      aria-pressed={on}
      onClick={() => onChange(!on)}
    >
      {on && <Icon name="check" />}
      {label}
    </button>
  );
}

function named(rows: readonly { readonly name: string; readonly count: number }[] = []): readonly Choice[] {
  return rows.map(({ name, count }) => ({ value: name, text: name, count }));
}

function healthChoice(health: Health, facets: Facets | undefined): Choice {
  const count = facets?.health[health];
  return { value: health, text: healthWords[health].text, ...(count === undefined ? {} : { count }) };
}

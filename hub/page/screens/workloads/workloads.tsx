import { type ReactNode, useState } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { writeFilters } from "../../state/filters.ts";
import { navigate, useFilters } from "../../state/use-location.ts";
import { counted } from "../../text/count.ts";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Heading } from "../../ui/heading.tsx";
import { Link } from "../../ui/link.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import {
  isNarrowed,
  type WorkloadFilterValues,
  workloadFilters,
  workloadRequestsOf,
} from "./workload-filters.ts";
import { WorkloadTable } from "./workload-table.tsx";

/** All workloads: search first, and page by page as the console sends them. */
export function Workloads(): ReactNode {
  const [values, set] = useFilters(workloadFilters);
  const [selected, setSelected] = useState<readonly string[]>([]);
  const answer = useAnswer("workloads", workloadRequestsOf(values).list, { keep: true });
  const change = (next: Partial<WorkloadFilterValues>): void => set({ cursor: "", ...next });
  return (
    <>
      <Head values={values} onChange={change} />
      <Loaded from={answer} lines={12}>
        {({ rows, next }) => (
          <div
            className={answer.isPlaceholderData ? "list waiting" : "list"}
            aria-busy={answer.isPlaceholderData}
          >
            {rows.length === 0 ? (
              <NothingFound narrowed={isNarrowed(values)} />
            ) : (
              <WorkloadTable
                rows={rows}
                sort={values.sort}
                onSort={(sort) => change({ sort })}
                selected={selected}
                onSelect={setSelected}
              />
            )}
            <Pages values={values} next={next} />
            <SelectionBar
              rows={rows.filter((row) => selected.includes(`${row.instance.id} ${row.id}`))}
              onClear={() => setSelected([])}
            />
          </div>
        )}
      </Loaded>
    </>
  );
}

/** How many there are, and what they can be narrowed down to: known later than the rows, which it doesn't draw again. */
function Head({
  values,
  onChange,
}: {
  readonly values: WorkloadFilterValues;
  readonly onChange: (change: Partial<WorkloadFilterValues>) => void;
}): ReactNode {
  const { data: facets } = useAnswer("workloadFacets", workloadRequestsOf(values).facets, { keep: true });
  const total = facets?.total;
  return (
    <>
      <Heading
        title="Workloads"
        note={total !== undefined && <span className="total">{total.toLocaleString("en")}</span>}
      />
      <FilterBar values={values} facets={facets} onChange={onChange} />
      <p className="hidden" role="status">
        {total === undefined ? "" : `${counted(total, "workload")} found`}
      </p>
    </>
  );
}

function NothingFound({ narrowed }: { readonly narrowed: boolean }): ReactNode {
  return narrowed ? (
    <Empty title="No workload matches.">
      <p>
        <Link to="/workloads">Show all workloads</Link>
      </p>
    </Empty>
  ) : (
    <Empty title="No workloads yet.">
      <p>They appear as soon as an instance has connected.</p>
    </Empty>
  );
}

/** To the next page and back. Each page has an address; those before are what the Back button leads to. */
function Pages({
  values,
  next,
}: {
  readonly values: WorkloadFilterValues;
  readonly next: string | null;
}): ReactNode {
  if (values.cursor === "" && next === null) {
    return null;
  }
  const to = (cursor: string): void => {
    navigate(`/workloads${writeFilters({ ...values, cursor }, workloadFilters)}`);
    window.scrollTo(0, 0);
  };
  return (
    <nav className="pages" aria-label="Pages">
      <Button disabled={values.cursor === ""} onClick={() => to("")}>
        First page
      </Button>
      <Button disabled={values.cursor === ""} icon="left" onClick={() => history.back()}>
        Back
      </Button>
      <Button disabled={next === null} onClick={() => to(next ?? "")}>
        Next page
      </Button>
    </nav>
  );
}

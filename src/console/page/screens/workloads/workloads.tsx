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
  workloadQueryOf,
} from "./workload-filters.ts";
import { WorkloadTable } from "./workload-table.tsx";

/** How many workloads a page has. */
const pageSize = 50;

/** All workloads: search first, and page by page as the console sends them. */
export function Workloads(): ReactNode {
  const [values, set] = useFilters(workloadFilters);
  const [selected, setSelected] = useState<readonly string[]>([]);
  const query = workloadQueryOf(values);
  const answer = useAnswer("workloads", { query: { ...query, limit: pageSize } }, { keep: true });
  const facetQuery = workloadQueryOf({ ...values, cursor: "" });
  const facets = useAnswer("workloadFacets", { query: facetQuery }, { keep: true });
  const change = (next: Partial<WorkloadFilterValues>): void => set({ cursor: "", ...next });
  const total = facets.data?.total;
  return (
    <>
      <Heading
        title="Workloads"
        note={total !== undefined && <span className="total">{total.toLocaleString("en")}</span>}
      />
      <FilterBar values={values} facets={facets.data} onChange={change} />
      <p className="hidden" role="status">
        {total === undefined ? "" : `${counted(total, "workload")} found`}
      </p>
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

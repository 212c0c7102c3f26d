import type { ReactNode } from "react";
import type { Workload, WorkloadQuery } from "../../../src/contract/workloads.ts";
import { instanceAt, workloadAt } from "../../state/addresses.ts";
import { healthWords } from "../../text/words.ts";
import { Badge, Status } from "../../ui/badge.tsx";
import { Icon } from "../../ui/icon.tsx";
import { ImageName } from "../../ui/image-name.tsx";
import { Link } from "../../ui/link.tsx";
import { moveInList } from "../../ui/list-keys.ts";
import { When } from "../../ui/when.tsx";

type Sort = WorkloadQuery["sort"];

/** How many containers a row shows. */
const mostContainers = 2;

interface TableProps {
  readonly rows: readonly Workload[];
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
  readonly selected: readonly string[];
  readonly onSelect: (selected: readonly string[]) => void;
}

/** Workloads, one a row; the arrow keys move through them. */
export function WorkloadTable({ rows, sort, onSort, selected, onSelect }: TableProps): ReactNode {
  const keys = rows.map(keyOf);
  const isAll = keys.every((key) => selected.includes(key));
  return (
    <table className="table workloads" onKeyDown={(event) => moveInList(event, "a.row-link")}>
      <thead>
        <tr>
          <th scope="col" className="select">
            <input
              type="checkbox"
              aria-label="Choose all of this page"
              checked={isAll}
              onChange={() => onSelect(isAll ? [] : keys)}
            />
          </th>
          <SortableHead text="Workload" sorts={["id", "-id"]} sort={sort} onSort={onSort} />
          <SortableHead text="Health" sorts={["health"]} sort={sort} onSort={onSort} />
          <SortableHead text="Images" sorts={["newImages"]} sort={sort} onSort={onSort} />
          <th scope="col">Policies</th>
          <SortableHead text="Changed" sorts={["-changedAt", "changedAt"]} sort={sort} onSort={onSort} />
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <WorkloadRow
            key={keyOf(row)}
            row={row}
            selected={selected.includes(keyOf(row))}
            onSelect={(on) =>
              onSelect(on ? [...selected, keyOf(row)] : selected.filter((key) => key !== keyOf(row)))
            }
          />
        ))}
      </tbody>
    </table>
  );
}

/** What tells a row from all others. */
function keyOf({ instance, id }: Workload): string {
  return `${instance.id} ${id}`;
}

function SortableHead({
  text,
  sorts,
  sort,
  onSort,
}: {
  readonly text: string;
  /** The orders that it switches between; the first one is the usual. */
  readonly sorts: readonly [Sort, ...Sort[]];
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
}): ReactNode {
  const at = sorts.indexOf(sort);
  const direction =
    at < 0 ? undefined : sort === "newImages" || sort.startsWith("-") ? "descending" : "ascending";
  return (
    <th scope="col" aria-sort={direction}>
      <button
        type="button"
        className="sort"
        onClick={() => onSort(sorts[(at + 1) % sorts.length] ?? sorts[0])}
      >
        {text}
        <span aria-hidden="true">{direction === undefined ? "" : direction === "ascending" ? "↑" : "↓"}</span>
      </button>
    </th>
  );
}

function WorkloadRow({
  row,
  selected,
  onSelect,
}: {
  readonly row: Workload;
  readonly selected: boolean;
  readonly onSelect: (on: boolean) => void;
}): ReactNode {
  const { instance, id, namespace, kind, name, ready, desired, health, syncError, containers, changedAt } =
    row;
  return (
    <tr className={selected ? "selected" : undefined}>
      <td className="select">
        <input
          type="checkbox"
          aria-label={`Choose ${id} of ${instance.name}`}
          checked={selected}
          onChange={({ target }) => onSelect(target.checked)}
        />
      </td>
      <th scope="row" data-label="Workload">
        <Link to={workloadAt({ instance: instance.id, workload: id })} className="row-link break" title={id}>
          {name}
        </Link>
        <span className="under">
          <span className="break">{`${namespace} · ${kind} · `}</span>
          <Link to={instanceAt(instance.id)}>{instance.name}</Link>
        </span>
      </th>
      <td data-label="Health">
        <Status of={healthWords[health]} />
        <span className="under">
          {kind === "cronjob" ? "runs on a schedule" : `${ready} of ${desired} ready`}
          {syncError !== "" && (
            <span className="bad" title={syncError}>
              {" · can’t be synced"}
            </span>
          )}
        </span>
      </td>
      <td data-label="Images">
        {containers.slice(0, mostContainers).map((container) => (
          <span key={container.name} className="container">
            <ImageName image={container.image} />
            {container.newer > 0 && <Badge tone="busy">{`${container.newer} newer`}</Badge>}
          </span>
        ))}
        {containers.length > mostContainers && (
          <span className="under">{`and ${containers.length - mostContainers} more`}</span>
        )}
      </td>
      <td data-label="Policies">
        <Policies row={row} />
      </td>
      <td data-label="Changed" className="help">
        <When at={changedAt} />
      </td>
    </tr>
  );
}

/** The policies of a workload, as small marks. */
function Policies({
  row: { automated, locked, ignored, lockedReason },
}: {
  readonly row: Workload;
}): ReactNode {
  return (
    <span className="policies">
      {automated && (
        <Badge tone="good">
          <Icon name="robot" />
          Automated
        </Badge>
      )}
      {locked && (
        <span title={lockedReason === "" ? undefined : lockedReason}>
          <Badge tone="warning">
            <Icon name="lock" />
            Locked
          </Badge>
        </span>
      )}
      {ignored && (
        <Badge>
          <Icon name="eyeOff" />
          Ignored
        </Badge>
      )}
    </span>
  );
}

import type { ReactNode } from "react";
import { usePages } from "../../api/use-answer.ts";
import { useMay } from "../../state/session.ts";
import { useFilters } from "../../state/use-location.ts";
import { Choices } from "../../ui/choices.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Heading } from "../../ui/heading.tsx";
import { Link } from "../../ui/link.tsx";
import { List } from "../../ui/list.tsx";
import { moveInList } from "../../ui/list-keys.ts";
import { SearchBox } from "../../ui/search-box.tsx";
import { instanceFilters, instanceQueryOf } from "./instance-filters.ts";
import { InstanceRow } from "./instance-row.tsx";

const syncStates = [
  { value: "synced", text: "Synced" },
  { value: "behind", text: "Behind" },
  { value: "failed", text: "Failed" },
  { value: "unknown", text: "Unknown" },
];

const sorts = [
  { value: "name", text: "Name" },
  { value: "-name", text: "Name, backwards" },
  { value: "-unhealthy", text: "Most problems first" },
  { value: "-lastSyncAt", text: "Synced last first" },
  { value: "lastSyncAt", text: "Not synced for longest first" },
  { value: "-lastSeenAt", text: "Seen last first" },
  { value: "lastSeenAt", text: "Not seen for longest first" },
];

const connections = [
  { value: "true", text: "Connected" },
  { value: "false", text: "Not connected" },
];

/** All instances: where one begins. */
export function Instances(): ReactNode {
  const [values, set] = useFilters(instanceFilters);
  const { q, connected, sync, suspended, sort } = values;
  const isNarrowed = q !== "" || connected !== "" || sync !== "" || suspended !== "";
  const instances = usePages("instances", instanceQueryOf(values));
  return (
    <>
      <Heading title="Instances" />
      <div className="filters">
        <SearchBox label="Search instances" value={q} onValue={(next) => set({ q: next })} />
        <Choices
          label="Connection"
          choices={connections}
          chosen={connected === "" ? [] : [connected]}
          onChange={(chosen) =>
            set({ connected: chosen.at(-1) === "false" ? "false" : chosen.at(-1) === "true" ? "true" : "" })
          }
        />
        <Choices
          label="Sync"
          choices={syncStates}
          chosen={sync === "" ? [] : [sync]}
          onChange={(chosen) =>
            set({ sync: instanceFilters.sync.values.find((each) => each === chosen.at(-1)) ?? "" })
          }
        />
        <Choices
          label="Sort"
          choices={sorts}
          chosen={sort === "name" ? [] : [sort]}
          onChange={(chosen) =>
            set({ sort: instanceFilters.sort.values.find((each) => each === chosen.at(-1)) ?? "name" })
          }
        />
        {suspended !== "" && (
          <button type="button" className="button active" onClick={() => set({ suspended: "" })}>
            {suspended === "true" ? "Suspended ×" : "Not suspended ×"}
          </button>
        )}
      </div>
      <List from={instances} noun="instance" empty={isNarrowed ? <NothingFound /> : <NoInstances />}>
        {(rows) => (
          <table className="table instances" onKeyDown={(event) => moveInList(event, "a.row-link")}>
            <thead>
              <tr>
                <th scope="col">Instance</th>
                <th scope="col">Sync</th>
                <th scope="col">Workloads</th>
                <th scope="col" className="wide-only">
                  Git
                </th>
                <th scope="col" className="wide-only">
                  Daemon
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((instance) => (
                <InstanceRow key={instance.id} instance={instance} />
              ))}
            </tbody>
          </table>
        )}
      </List>
    </>
  );
}

function NothingFound(): ReactNode {
  return (
    <Empty title="No instance matches.">
      <p>
        <Link to="/">Show all instances</Link>
      </p>
    </Empty>
  );
}

function NoInstances(): ReactNode {
  const isAdministrator = useMay("administrator");
  return (
    <Empty title="No instance yet.">
      {isAdministrator ? (
        <p>
          <Link to="/administration">Add one</Link>: it takes a name here, and two flags for its fluxd.
        </p>
      ) : (
        <p>An administrator can add one, or give you a role for those that there are.</p>
      )}
    </Empty>
  );
}

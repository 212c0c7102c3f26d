import type { ReactNode } from "react";
import type { AuditEntry } from "../../../src/contract/access.ts";
import { usePages } from "../../api/use-answer.ts";
import { useFilters } from "../../state/use-location.ts";
import { exactTime } from "../../text/time.ts";
import type { Tone } from "../../text/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { Empty } from "../../ui/empty.tsx";
import { List } from "../../ui/list.tsx";
import { SearchBox } from "../../ui/search-box.tsx";
import { Table } from "../../ui/table.tsx";

const filters = { q: { kind: "text" }, action: { kind: "text" } } as const;

const outcomes: Readonly<Record<AuditEntry["outcome"], readonly [Tone, string]>> = {
  begun: ["warning", "Begun; how it ended isn’t known"],
  done: ["quiet", "done"],
  refused: ["warning", "refused"],
  failed: ["bad", "failed"],
};

/** What was done by whom. */
export function AuditLog(): ReactNode {
  const [{ q, action }, set] = useFilters(filters);
  const entries = usePages("audit", {
    limit: 100,
    ...(q === "" ? {} : { q }),
    ...(action === "" ? {} : { action }),
  });
  return (
    <>
      <div className="filters">
        <SearchBox label="Search the audit log" value={q} onValue={(next) => set({ q: next })} />
        {action !== "" && (
          <button type="button" className="button active" onClick={() => set({ action: "" })}>
            {`${action} ×`}
          </button>
        )}
      </div>
      <List from={entries} noun="entry" empty={<Empty title="Nothing matches." />}>
        {(rows) => (
          <Table look="audit" columns={["Time", "Who", "Action", "What", "From"]}>
            {rows.map(({ id, at, actor, action: name, outcome, subject, namespace, address }) => (
              <tr key={id}>
                <td data-label="Time" className="nowrap">
                  <time dateTime={at}>{exactTime(at)}</time>
                </td>
                <th scope="row" data-label="Who" className="break">
                  {actor.name}
                  <span className="under">{actor.kind}</span>
                </th>
                <td data-label="Action">
                  <button type="button" className="link" onClick={() => set({ action: name })}>
                    {name}
                  </button>{" "}
                  {outcome !== "done" && <Outcome outcome={outcome} />}
                </td>
                <td data-label="What" className="break">
                  {subject}
                  {namespace !== null && <span className="under">{namespace}</span>}
                </td>
                <td data-label="From" className="help">
                  {address}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </List>
    </>
  );
}

function Outcome({ outcome }: Pick<AuditEntry, "outcome">): ReactNode {
  const [tone, text] = outcomes[outcome];
  return <Badge tone={tone}>{text}</Badge>;
}

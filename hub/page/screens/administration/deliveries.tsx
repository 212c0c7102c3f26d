import type { ReactNode } from "react";
import { useAnswer, usePages } from "../../api/use-answer.ts";
import type { Toned } from "../../text/words.ts";
import { Status } from "../../ui/badge.tsx";
import { Empty } from "../../ui/empty.tsx";
import { List } from "../../ui/list.tsx";
import { Section } from "../../ui/section.tsx";
import { Table } from "../../ui/table.tsx";
import { When } from "../../ui/when.tsx";

const words: Readonly<Record<"pending" | "sent" | "failed", Toned>> = {
  pending: { text: "Waiting", tone: "busy" },
  sent: { text: "Sent", tone: "good" },
  failed: { text: "Failed", tone: "bad" },
};

/** Nothing tells of deliveries, so they're asked for, in milliseconds. */
const askedEvery = 10_000;

/** What was sent, and what couldn't be. */
export function Deliveries(): ReactNode {
  const deliveries = usePages("deliveries", { limit: 20 }, { every: askedEvery });
  const channels = useAnswer("channels", {});
  return (
    <Section title="Deliveries">
      <List from={deliveries} noun="delivery" empty={<Empty title="Nothing was sent yet." />}>
        {(rows) => (
          <Table columns={["Channel", "State", "Attempts", "Time"]}>
            {rows.map(({ id, channelId, state, attempts, createdAt, error }) => (
              <tr key={id}>
                <th scope="row" className="break" data-label="Channel">
                  {channels.data?.rows.find((channel) => channel.id === channelId)?.name ?? channelId}
                  {error !== "" && <span className="under bad break">{error}</span>}
                </th>
                <td data-label="State">
                  <Status of={words[state]} />
                </td>
                <td data-label="Attempts">{attempts}</td>
                <td data-label="Time">
                  <When at={createdAt} />
                </td>
              </tr>
            ))}
          </Table>
        )}
      </List>
    </Section>
  );
}

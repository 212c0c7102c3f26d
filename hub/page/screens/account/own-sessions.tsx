import type { ReactNode } from "react";
import { useAnswer, useChange } from "../../api/use-answer.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Section } from "../../ui/section.tsx";
import { Table } from "../../ui/table.tsx";
import { When } from "../../ui/when.tsx";

/** Where one is logged in. */
export function OwnSessions(): ReactNode {
  const sessions = useAnswer("ownSessions", {});
  const end = useChange("endSession");
  return (
    <Section title="Sessions">
      {end.error !== null && <Failure error={end.error} />}
      <Loaded from={sessions} lines={3}>
        {({ rows }) => (
          <Table columns={["Browser", "Address", "Last used"]} actions="End">
            {rows.map(({ id, current, method, address, userAgent, createdAt, lastUsedAt }) => (
              <tr key={id}>
                <th scope="row" data-label="Browser">
                  <span className="break">{userAgent}</span> {current && <Badge tone="good">This one</Badge>}
                  <span className="under">
                    {method}, since <When at={createdAt} />
                  </span>
                </th>
                <td data-label="Address" className="break">
                  {address}
                </td>
                <td data-label="Last used">
                  <When at={lastUsedAt} />
                </td>
                <td className="end">
                  {!current && (
                    <Button
                      look="quiet"
                      aria-label={`End the session from ${address}`}
                      onClick={() => end.mutate({ params: { session: id } })}
                    >
                      End
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Loaded>
    </Section>
  );
}

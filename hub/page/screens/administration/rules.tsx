import { type ReactNode, useState } from "react";
import type { Channel, Rule } from "../../../src/contract/notifications.ts";
import { useAnswer, useChange } from "../../api/use-answer.ts";
import { listed } from "../../text/count.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Section } from "../../ui/section.tsx";
import { Table } from "../../ui/table.tsx";
import { RuleDialog } from "./rule-dialog.tsx";
import { useSampleNotice } from "./sample-notice.ts";

/** Which events go to which channel. */
export function Rules(): ReactNode {
  const rules = useAnswer("rules", {});
  const channels = useAnswer("channels", {});
  const remove = useChange("removeRule");
  const [open, setOpen] = useState<Rule | "new">();
  const known = channels.data?.rows ?? [];
  return (
    <Section
      title="Rules"
      note={
        <Button icon="plus" disabled={known.length === 0} onClick={() => setOpen("new")}>
          Add a rule
        </Button>
      }
    >
      {remove.error !== null && <Failure error={remove.error} />}
      <Rows from={rules} lines={4} empty={<Empty title="No event is sent anywhere." />}>
        {(rows) => (
          <Table columns={["Rule", "Events", "Channel"]} actions="Actions">
            {rows.map((rule) => (
              <RuleRow
                key={rule.id}
                rule={rule}
                channels={known}
                onOpen={() => setOpen(rule)}
                onRemove={() => remove.mutate({ params: { rule: rule.id } })}
              />
            ))}
          </Table>
        )}
      </Rows>
      {open !== undefined && (
        <RuleDialog
          rule={open === "new" ? undefined : open}
          channels={known}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Section>
  );
}

function RuleRow({
  rule: { id, name, enabled, channelId, eventTypes, severities, namespaces, groupBy, groupSeconds },
  channels,
  onOpen,
  onRemove,
}: {
  readonly rule: Rule;
  readonly channels: readonly Channel[];
  readonly onOpen: () => void;
  readonly onRemove: () => void;
}): ReactNode {
  const events = [
    eventTypes.length === 0 ? "All events" : listed(eventTypes),
    ...(severities.length === 0 ? [] : [listed(severities)]),
    ...(namespaces.length === 0 ? [] : [`in ${listed(namespaces)}`]),
    ...(groupSeconds === 0 || groupBy.length === 0 ? [] : [`grouped by ${listed(groupBy)}`]),
  ];
  const test = useChange("testRule");
  const sampled = useSampleNotice("The channel");
  const send = (): void => test.mutate({ params: { rule: id } }, sampled);
  return (
    <tr>
      <th scope="row" className="break" data-label="Rule">
        {name} {!enabled && <Badge>Off</Badge>}
      </th>
      <td data-label="Events" className="break">
        {events.join(", ")}
      </td>
      <td data-label="Channel" className="break">
        {channels.find((each) => each.id === channelId)?.name ?? channelId}
      </td>
      <td className="end">
        <Button busy={test.isPending} onClick={send} aria-label={`Test ${name}`}>
          Test
        </Button>{" "}
        <Button onClick={onOpen} aria-label={`Change ${name}`}>
          Change
        </Button>{" "}
        <Button look="quiet" onClick={onRemove} aria-label={`Remove ${name}`}>
          Remove
        </Button>
      </td>
    </tr>
  );
}

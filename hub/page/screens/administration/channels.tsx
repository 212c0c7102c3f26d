import { type ReactNode, useState } from "react";
import type { Channel } from "../../../src/contract/notifications.ts";
import { useAnswer, useChange } from "../../api/use-answer.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Section } from "../../ui/section.tsx";
import { Table } from "../../ui/table.tsx";
import { When } from "../../ui/when.tsx";
import { ChannelDialog } from "./channel-dialog.tsx";
import { channelKinds } from "./channel-kinds.ts";
import { useSampleNotice } from "./sample-notice.ts";

/** Where notifications go. */
export function Channels(): ReactNode {
  const channels = useAnswer("channels", {});
  const [open, setOpen] = useState<Channel | "new">();
  return (
    <Section
      title="Channels"
      note={
        <Button icon="plus" onClick={() => setOpen("new")}>
          Add a channel
        </Button>
      }
    >
      <Rows from={channels} lines={4} empty={<Empty title="Notifications go nowhere yet." />}>
        {(rows) => (
          <Table columns={["Channel", "Last sent"]} actions="Actions">
            {rows.map((channel) => (
              <ChannelRow key={channel.id} channel={channel} onOpen={() => setOpen(channel)} />
            ))}
          </Table>
        )}
      </Rows>
      {open !== undefined && (
        <ChannelDialog channel={open === "new" ? undefined : open} onClose={() => setOpen(undefined)} />
      )}
    </Section>
  );
}

function ChannelRow({
  channel: { id, name, kind, enabled, lastSentAt, lastError, lastErrorAt },
  onOpen,
}: {
  readonly channel: Channel;
  readonly onOpen: () => void;
}): ReactNode {
  const remove = useChange("removeChannel");
  const test = useChange("testChannel");
  const sampled = useSampleNotice(name);
  const [removes, setRemoves] = useState(false);
  const params = { channel: id };
  const send = (): void => test.mutate({ params }, sampled);
  return (
    <tr>
      <th scope="row" data-label="Channel">
        <span className="break">{name}</span> {!enabled && <Badge>Off</Badge>}
        <span className="under">{channelKinds[kind].name}</span>
      </th>
      <td data-label="Last sent">
        {lastSentAt === null ? "Never" : <When at={lastSentAt} />}
        {lastErrorAt !== null && lastError !== "" && (
          <span className="under bad break">
            {lastError} (<When at={lastErrorAt} />)
          </span>
        )}
      </td>
      <td className="end">
        <Button busy={test.isPending} onClick={send} aria-label={`Test ${name}`}>
          Test
        </Button>{" "}
        <Button onClick={onOpen} aria-label={`Change ${name}`}>
          Change
        </Button>{" "}
        <Button look="quiet" onClick={() => setRemoves(true)} aria-label={`Remove ${name}`}>
          Remove
        </Button>
        {removes && (
          <ConfirmDialog
            title={`Remove ${name}`}
            submit="Remove"
            change={remove}
            onConfirm={() => remove.mutate({ params }, { onSuccess: () => setRemoves(false) })}
            onClose={() => setRemoves(false)}
          >
            Its rules are removed too.
          </ConfirmDialog>
        )}
      </td>
    </tr>
  );
}

import { type ReactNode, useState } from "react";
import type { Instance } from "../../../src/contract/instances.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { type InstanceTab, instanceAt } from "../../state/addresses.ts";
import { useMay } from "../../state/session.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Heading } from "../../ui/heading.tsx";
import { Link } from "../../ui/link.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { type Tab, Tabs } from "../../ui/tabs.tsx";
import { RequestDialog } from "../request/request-dialog.tsx";
import { Drift } from "./drift.tsx";
import { InstanceSettings } from "./instance-settings.tsx";
import { Overview } from "./overview.tsx";
import { SuspensionDialog } from "./suspension-dialog.tsx";

/** One instance: its state, what blocks its syncs, what differs from git, and its settings. */
export function InstanceScreen({
  instance: id,
  tab,
}: {
  readonly instance: string;
  readonly tab: InstanceTab;
}): ReactNode {
  const answer = useAnswer("instance", { params: { instance: id } });
  const isAdministrator = useMay("administrator", { instanceId: id });
  const tabs: readonly Tab[] = [
    { to: instanceAt(id), text: "Overview" },
    { to: instanceAt(id, "drift"), text: "Drift" },
    ...(isAdministrator ? [{ to: instanceAt(id, "settings"), text: "Settings" }] : []),
  ];
  return (
    <Loaded from={answer} isScreen>
      {(instance) => (
        <>
          <Heading
            title={instance.name}
            above={<Link to="/">Instances</Link>}
            note={
              <>
                {instance.connected ? (
                  <Badge tone="good">Connected</Badge>
                ) : (
                  <Badge tone="bad">Not connected</Badge>
                )}
                {instance.suspended && <Badge tone="warning">Suspended</Badge>}
              </>
            }
          >
            <Actions instance={instance} />
          </Heading>
          <Tabs label="Parts of the instance" tabs={tabs} current={instanceAt(id, tab)} />
          {tab === "" && <Overview instance={instance} />}
          {tab === "drift" && <Drift instance={instance} />}
          {tab === "settings" && <InstanceSettings instance={instance} />}
        </>
      )}
    </Loaded>
  );
}

function Actions({ instance }: { readonly instance: Instance }): ReactNode {
  const mayOperate = useMay("operator", { instanceId: instance.id });
  const [open, setOpen] = useState<"sync" | "suspension">();
  const close = (): void => setOpen(undefined);
  if (!mayOperate) {
    return null;
  }
  return (
    <>
      <Button icon={instance.suspended ? "play" : "pause"} onClick={() => setOpen("suspension")}>
        {instance.suspended ? "Resume" : "Suspend"}
      </Button>
      <Button
        look="primary"
        icon="sync"
        disabled={!instance.connected || instance.syncSuspended}
        onClick={() => setOpen("sync")}
      >
        Sync
      </Button>
      {open === "suspension" && <SuspensionDialog instance={instance} onClose={close} />}
      {open === "sync" && (
        <RequestDialog
          title={`Sync ${instance.name}`}
          instanceId={instance.id}
          spec={{ kind: "sync" }}
          submit="Sync"
          onClose={close}
        >
          <p>Applies the newest commit of the branch to the cluster now.</p>
        </RequestDialog>
      )}
    </>
  );
}

import type { ReactNode } from "react";
import { type AdministrationTab, administrationTabs } from "../../state/addresses.ts";
import { useMay } from "../../state/session.ts";
import { Empty } from "../../ui/empty.tsx";
import { Heading } from "../../ui/heading.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Approvals } from "./approvals.tsx";
import { AuditLog } from "./audit-log.tsx";
import { InstanceAdministration } from "./instance-administration.tsx";
import { Notifications } from "./notifications.tsx";
import { Roles } from "./roles.tsx";
import { Users } from "./users.tsx";

const root = "/administration";

function addressOf(tab: AdministrationTab): string {
  return tab === "" ? root : `${root}/${tab}`;
}

/** What only administrators do. */
export function Administration({ tab }: { readonly tab: AdministrationTab }): ReactNode {
  const isAdministrator = useMay("administrator");
  if (!isAdministrator) {
    return (
      <>
        <Heading title="Administration" />
        <Empty title="This takes the role of an administrator." />
      </>
    );
  }
  return (
    <>
      <Heading title="Administration" />
      <Tabs
        label="Parts of the administration"
        tabs={administrationTabs.map(([each, text]) => ({ to: addressOf(each), text }))}
        current={addressOf(tab)}
      />
      {tab === "" && <InstanceAdministration />}
      {tab === "users" && <Users />}
      {tab === "roles" && <Roles />}
      {tab === "approvals" && <Approvals />}
      {tab === "notifications" && <Notifications />}
      {tab === "audit" && <AuditLog />}
    </>
  );
}

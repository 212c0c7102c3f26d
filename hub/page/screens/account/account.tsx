import type { ReactNode } from "react";
import { useSession } from "../../state/session.ts";
import { Badge } from "../../ui/badge.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Heading } from "../../ui/heading.tsx";
import { Section } from "../../ui/section.tsx";
import { PlaceText } from "../administration/place-text.tsx";
import { OwnSessions } from "./own-sessions.tsx";
import { OwnTokens } from "./own-tokens.tsx";
import { PasswordForm } from "./password-form.tsx";

/** One's own account. */
export function Account(): ReactNode {
  const { user, grants } = useSession();
  return (
    <>
      <Heading title="Your account" />
      <div className="columns">
        <Section title="You">
          <Facts
            rows={[
              [
                "Name",
                <span key="name" className="break">
                  {user.name === "" ? user.login : user.name}
                </span>,
              ],
              [
                "Logs in as",
                <span key="login" className="break">
                  {user.login}
                </span>,
              ],
              [
                "Roles",
                <ul key="roles" className="plain">
                  {grants.map((grant) => (
                    <li key={`${grant.role} ${grant.instanceId ?? ""} ${grant.namespace ?? ""}`}>
                      <Badge>{grant.role}</Badge> <PlaceText place={grant} />
                    </li>
                  ))}
                </ul>,
              ],
            ]}
          />
        </Section>
        <Section title="Password">
          <PasswordForm />
        </Section>
      </div>
      <OwnSessions />
      <OwnTokens />
    </>
  );
}

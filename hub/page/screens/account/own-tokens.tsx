import { type ReactNode, useState } from "react";
import { useAnswer, useChange } from "../../api/use-answer.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Rows } from "../../ui/rows.tsx";
import { Section } from "../../ui/section.tsx";
import { Table } from "../../ui/table.tsx";
import { When } from "../../ui/when.tsx";
import { PlaceText } from "../administration/place-text.tsx";
import { NewTokenDialog } from "./new-token-dialog.tsx";

/** One's tokens for the API and fluxctl. */
export function OwnTokens(): ReactNode {
  const tokens = useAnswer("apiTokens", {});
  const revoke = useChange("revokeApiToken");
  const [isOpen, setOpen] = useState(false);
  return (
    <Section
      title="Tokens"
      note={
        <Button icon="plus" onClick={() => setOpen(true)}>
          Make a token
        </Button>
      }
    >
      {revoke.error !== null && <Failure error={revoke.error} />}
      <Rows
        from={tokens}
        lines={3}
        empty={
          <Empty title="No tokens.">
            <p>Programs use them for the API, and fluxctl with --token.</p>
          </Empty>
        }
      >
        {(rows) => (
          <Table columns={["Token", "Scopes", "Last used", "Expires"]} actions="End">
            {rows.map(({ id, name, scopes, instanceId, namespace, lastUsedAt, expiresAt }) => (
              <tr key={id}>
                <th scope="row" data-label="Token">
                  <span className="break">{name}</span>
                  <span className="under">
                    <PlaceText place={{ instanceId, namespace }} />
                  </span>
                </th>
                <td data-label="Scopes">
                  <span className="policies">
                    {scopes.map((scope) => (
                      <Badge key={scope}>{scope}</Badge>
                    ))}
                  </span>
                </td>
                <td data-label="Last used">{lastUsedAt === null ? "Never" : <When at={lastUsedAt} />}</td>
                <td data-label="Expires">
                  {expiresAt === null ? (
                    "Never"
                  ) : (
                    <time dateTime={expiresAt}>{new Date(expiresAt).toLocaleDateString()}</time>
                  )}
                </td>
                <td className="end">
                  <Button
                    look="quiet"
                    aria-label={`End the token ${name}`}
                    onClick={() => revoke.mutate({ params: { token: id } })}
                  >
                    End
                  </Button>
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Rows>
      {isOpen && <NewTokenDialog onClose={() => setOpen(false)} />}
    </Section>
  );
}

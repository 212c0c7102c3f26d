import { type ReactNode, useState } from "react";
import { useChange } from "../../api/use-answer.ts";
import { Button } from "../../ui/button.tsx";
import { CopiedText } from "../../ui/copied-text.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { CheckField, SelectField, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { PlaceFields, type PlaceValue } from "../administration/grant-fields.tsx";

const scopes = ["read", "write", "admin"] as const;
type Scope = (typeof scopes)[number];

const scopeTexts: Readonly<Record<Scope, string>> = {
  read: "Read everything",
  write: "Release, change policies, sync",
  admin: "Administer",
};

const day = 24 * 60 * 60 * 1_000;

const lifetimes = [
  ["30", "30 days"],
  ["90", "90 days"],
  ["365", "A year"],
  ["", "For good"],
] as const;

/** Makes a token, and shows it once. */
export function NewTokenDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const create = useChange("createApiToken");
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<readonly Scope[]>(["read"]);
  const [place, setPlace] = useState<PlaceValue>({ instanceId: null, namespace: null });
  const [days, setDays] = useState<(typeof lifetimes)[number][0]>("90");
  if (create.data !== undefined) {
    return (
      <Dialog title="A new token" onClose={onClose}>
        <div className="form">
          <p>The token is shown only now.</p>
          <CopiedText label="Token" text={create.data.secret} />
          <div className="actions">
            <Button look="primary" onClick={onClose}>
              Done
            </Button>
          </div>
        </div>
      </Dialog>
    );
  }
  const send = (): void => {
    const expiresAt = days === "" ? null : new Date(Date.now() + Number(days) * day).toISOString();
    create.mutate({ body: { name, scopes: [...chosen], ...place, expiresAt } });
  };
  return (
    <Dialog title="Make a token" onClose={onClose}>
      <Form
        submit="Make the token"
        busy={create.isPending}
        error={create.error}
        disabled={chosen.length === 0}
        onCancel={onClose}
        onSubmit={send}
      >
        <TextField
          label="Name"
          name="name"
          help="What it’s for."
          value={name}
          onValue={setName}
          maxLength={100}
          required
        />
        <fieldset className="field">
          <legend>Scopes</legend>
          {scopes.map((scope) => (
            <CheckField
              key={scope}
              label={scopeTexts[scope]}
              checked={chosen.includes(scope)}
              onChecked={(on) =>
                setChosen(scopes.filter((each) => (each === scope ? on : chosen.includes(each))))
              }
            />
          ))}
        </fieldset>
        <PlaceFields value={place} onValue={setPlace} />
        <SelectField label="Valid for" name="expiresAt" value={days} options={lifetimes} onValue={setDays} />
      </Form>
    </Dialog>
  );
}

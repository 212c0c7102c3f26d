import { type ReactNode, useState } from "react";
import type { Instance } from "../../../src/contract/instances.ts";
import { useChange } from "../../api/use-answer.ts";
import { navigate } from "../../state/use-location.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Form } from "../../ui/form.tsx";
import { useNotice } from "../../ui/notices.tsx";
import { Section } from "../../ui/section.tsx";
import { TokenDialog } from "../administration/token-dialog.tsx";
import { NameFields } from "./name-fields.tsx";

/** The name of an instance, its token, and its end. */
export function InstanceSettings({ instance }: { readonly instance: Instance }): ReactNode {
  const [open, setOpen] = useState<"renew" | "remove">();
  const renew = useChange("renewToken");
  const remove = useChange("removeInstance");
  const params = { instance: instance.id };
  const close = (): void => setOpen(undefined);
  return (
    <>
      <Section title="Name">
        <NameForm instance={instance} />
      </Section>
      <Section title="Token">
        <div className="padded">
          <p>A new token ends the one before at once: its fluxd has to be started with the new one.</p>
          <Button onClick={() => setOpen("renew")}>Make a new token</Button>
        </div>
      </Section>
      <Section title="Remove">
        <div className="padded">
          <p>
            Removes the instance with all its events and jobs from the console. Its cluster isn’t touched.
          </p>
          <Button look="danger" onClick={() => setOpen("remove")}>
            Remove
          </Button>
        </div>
      </Section>
      {open === "renew" && (
        <ConfirmDialog
          title={`Make a new token for ${instance.name}`}
          submit="Make a new token"
          change={renew}
          onConfirm={() => renew.mutate({ params }, { onSuccess: close })}
          onClose={close}
        >
          The fluxd that is connected now is disconnected.
        </ConfirmDialog>
      )}
      {renew.data !== undefined && <TokenDialog created={renew.data} onClose={() => renew.reset()} />}
      {open === "remove" && (
        <ConfirmDialog
          title={`Remove ${instance.name}`}
          submit="Remove"
          typed={instance.name}
          change={remove}
          onConfirm={() => remove.mutate({ params }, { onSuccess: () => navigate("/", { replace: true }) })}
          onClose={close}
        >
          What the console knows of it is gone for good.
        </ConfirmDialog>
      )}
    </>
  );
}

function NameForm({ instance }: { readonly instance: Instance }): ReactNode {
  const change = useChange("changeInstance");
  const notice = useNotice();
  const [names, setNames] = useState({ name: instance.name, description: instance.description });
  return (
    <div className="padded">
      <Form
        submit="Save"
        busy={change.isPending}
        error={change.error}
        onSubmit={() =>
          change.mutate(
            { params: { instance: instance.id }, body: names },
            { onSuccess: () => notice("Saved.") },
          )
        }
      >
        <NameFields value={names} onValue={setNames} />
      </Form>
    </div>
  );
}

import { type ReactNode, useState } from "react";
import { Dialog } from "./dialog.tsx";
import { TextField } from "./field.tsx";
import { Form } from "./form.tsx";

/** Asks before something that can't be taken back. */
export function ConfirmDialog({
  title,
  submit,
  typed,
  change: { isPending, error },
  onConfirm,
  onClose,
  children,
}: {
  readonly title: string;
  readonly submit: string;
  /** What has to be typed first, if a click would be too easy. */
  readonly typed?: string;
  readonly change: { readonly isPending: boolean; readonly error: Error | null };
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}): ReactNode {
  const [text, setText] = useState("");
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        submit={submit}
        look="danger"
        busy={isPending}
        error={error}
        disabled={typed !== undefined && text !== typed}
        onSubmit={onConfirm}
        onCancel={onClose}
      >
        <p>{children}</p>
        {typed !== undefined && (
          <TextField label={`Type ${typed} to confirm`} value={text} onValue={setText} autoComplete="off" />
        )}
      </Form>
    </Dialog>
  );
}

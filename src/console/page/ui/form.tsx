import type { ReactNode, SubmitEvent } from "react";
import { Button } from "./button.tsx";
import { Failure } from "./failure.tsx";

/** What a form does when it's sent, and how that went. */
export interface FormProps {
  readonly submit: string;
  readonly look?: "primary" | "danger";
  readonly busy: boolean;
  readonly error: Error | null;
  readonly onSubmit: () => void;
  readonly onCancel?: () => void;
  readonly disabled?: boolean;
  readonly children?: ReactNode;
}

/** Fields with a button that sends them; errors are shown above it. */
export function Form({
  submit,
  look = "primary",
  busy,
  error,
  onSubmit,
  onCancel,
  disabled = false,
  children,
}: FormProps): ReactNode {
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!busy) {
      onSubmit();
    }
  };
  return (
    <form className="form" onSubmit={send}>
      {children}
      {error !== null && <Failure error={error} />}
      <div className="actions">
        {onCancel !== undefined && <Button onClick={onCancel}>Cancel</Button>}
        <Button type="submit" look={look} busy={busy} disabled={disabled}>
          {submit}
        </Button>
      </div>
    </form>
  );
}

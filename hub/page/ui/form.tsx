import { type ReactNode, type SubmitEvent, useCallback, useMemo, useState } from "react";
import { ApiProblem } from "../api/problem.ts";
import { Button } from "./button.tsx";
import { Failure } from "./failure.tsx";
import { FormProblemsContext } from "./field-problems.ts";

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

const none = {};

/** Fields with a button that sends them; errors are shown above it, and what's wrong with a field, below that. */
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
  const problems = error instanceof ApiProblem ? error.fields : none;
  const [claimed, setClaimed] = useState<readonly string[]>([]);
  const claim = useCallback((name: string) => {
    setClaimed((names) => [...names, name]);
    return () => setClaimed((names) => names.toSpliced(names.indexOf(name), 1));
  }, []);
  const context = useMemo(() => ({ problems, claim }), [problems, claim]);
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!busy) {
      onSubmit();
    }
  };
  return (
    <form className="form" onSubmit={send}>
      <FormProblemsContext value={context}>{children}</FormProblemsContext>
      {error !== null && <Failure error={error} shown={claimed} />}
      <div className="actions">
        {onCancel !== undefined && <Button onClick={onCancel}>Cancel</Button>}
        <Button type="submit" look={look} busy={busy} disabled={disabled}>
          {submit}
        </Button>
      </div>
    </form>
  );
}

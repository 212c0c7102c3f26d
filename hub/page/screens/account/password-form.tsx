import { type ReactNode, useState } from "react";
import { useChange } from "../../api/use-answer.ts";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { useNotice } from "../../ui/notices.tsx";

/** Changes one's password. */
export function PasswordForm(): ReactNode {
  const change = useChange("changePassword");
  const notice = useNotice();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  return (
    <div className="padded">
      <Form
        submit="Change the password"
        busy={change.isPending}
        error={change.error}
        onSubmit={() =>
          change.mutate(
            { body: { current, next } },
            {
              onSuccess: () => {
                setCurrent("");
                setNext("");
                notice("The password is changed, and all other sessions have ended.");
              },
            },
          )
        }
      >
        <TextField
          label="Current password"
          name="current"
          type="password"
          value={current}
          onValue={setCurrent}
          autoComplete="current-password"
          required
        />
        <TextField
          label="New password"
          name="next"
          help="At least 12 characters."
          type="password"
          value={next}
          onValue={setNext}
          autoComplete="new-password"
          minLength={12}
          required
        />
      </Form>
    </div>
  );
}

import type { ReactNode } from "react";
import { ApiProblem } from "../api/problem.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";

/** What went wrong, in a frame, with a button that tries again. */
export function Failure({ error, retry }: { readonly error: Error; readonly retry?: () => void }): ReactNode {
  const [title, detail] =
    error instanceof ApiProblem ? [error.title, error.detail] : ["Something went wrong", error.message];
  return (
    <div className="failure" role="alert">
      <Icon name="error" />
      <div>
        <p className="strong">{title}</p>
        {detail !== "" && <p>{detail}</p>}
        {retry !== undefined && <Button onClick={retry}>Try again</Button>}
      </div>
    </div>
  );
}

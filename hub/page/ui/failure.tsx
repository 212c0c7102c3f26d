import type { ReactNode } from "react";
import { ApiProblem } from "../api/problem.ts";
import { otherProblems } from "../text/field-problems.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";

const noNames: readonly string[] = [];

/** What went wrong and what to do, in a frame, with a button that tries again. */
export function Failure({
  error,
  shown = noNames,
  retry,
}: {
  readonly error: Error;
  /** Names of fields that show themselves what's wrong with them. */
  readonly shown?: readonly string[];
  readonly retry?: () => void;
}): ReactNode {
  const { title, detail, remedy, fields } =
    error instanceof ApiProblem
      ? error
      : { title: "Something went wrong", detail: error.message, remedy: "", fields: {} };
  const others = Object.entries(otherProblems(fields, shown));
  return (
    <div className="failure" role="alert">
      <Icon name="error" />
      <div>
        <p className="strong">{title}</p>
        {detail !== "" && <p className="break">{detail}</p>}
        {others.length > 0 && (
          <ul>
            {others.map(([path, text]) => (
              <li key={path} className="break">{`${path}: ${text}`}</li>
            ))}
          </ul>
        )}
        {remedy !== "" && <p className="break">{remedy}</p>}
        {retry !== undefined && <Button onClick={retry}>Try again</Button>}
      </div>
    </div>
  );
}

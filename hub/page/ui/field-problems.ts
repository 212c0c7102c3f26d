import { createContext, useContext, useEffect } from "react";
import { type FieldProblems, problemOf } from "../text/field-problems.ts";

/** What a form tells its fields. */
interface FormProblems {
  readonly problems: FieldProblems;
  /** Says that a field shows the problems of a name; the function that's returned takes that back. */
  readonly claim: (name: string) => () => void;
}

export const FormProblemsContext = createContext<FormProblems>({
  problems: {},
  claim: () => () => undefined,
});

/** What's wrong with a field, which then shows it; nothing if it has no name. */
export function useFieldProblem(name: string | undefined): string | undefined {
  const { problems, claim } = useContext(FormProblemsContext);
  useEffect(() => (name === undefined ? undefined : claim(name)), [name, claim]);
  return name === undefined ? undefined : problemOf(problems, name);
}

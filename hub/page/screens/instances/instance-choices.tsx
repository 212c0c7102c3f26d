import { type ReactNode, useState } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { Choices } from "../../ui/choices.tsx";

/** How many instances can be chosen from. */
const mostInstances = 200;

/**
 * A filter by instance. The instances are read only while the filter is open, or while some are chosen, whose names it
 * shows: a list of hundreds is larger than everything else on the screen.
 */
export function InstanceChoices({
  chosen,
  onChange,
}: {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { data, isLoading } = useAnswer(
    "instances",
    { query: { limit: mostInstances } },
    { enabled: isOpen || chosen.length > 0 },
  );
  return (
    <Choices
      label="Instance"
      choices={isLoading ? undefined : (data?.rows ?? []).map(({ id, name }) => ({ value: id, text: name }))}
      chosen={chosen}
      onChange={onChange}
      onToggle={setOpen}
    />
  );
}

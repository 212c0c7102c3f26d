import { type Checkup, warning } from "@weir/base";
import { describeSuspensions, type Suspension } from "@weir/flux/api";

const subject = "suspension";

/** Finds what is suspended; nothing is found if nothing is. */
export function suspensionCheckup(active: () => readonly Suspension[]): Checkup {
  const look = () =>
    describeSuspensions(active()).map((found) => warning(subject, found, "to resume, run `fluxctl resume`"));
  return { subject, look: () => Promise.resolve(look()) };
}

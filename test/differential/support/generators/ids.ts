import { fc } from "@weir/testing/property";

/** Any text that somebody might take for the ID of a resource, and often one. */
export const anyIdText = fc.oneof(
  fc
    .tuple(
      fc.constantFrom("ns:", "<cluster>:", "n_s:", "n.s:", "", ":", "ns"),
      fc.constantFrom("Deployment/", "helmrelease/", "kind/", "k:d/", "/", "", "Kind"),
      fc.constantFrom("app", "App.x:1_y-z", "", "a/b", "é", "a b"),
    )
    .map((parts) => parts.join("")),
  fc.stringMatching(/^[aA1<>:/._-]{0,10}$/),
);

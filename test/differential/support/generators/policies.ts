import { fc } from "@weir/testing/property";
import { knownConstraints, knownExpressions } from "../model/tag-filter.ts";

/** A tag filter, valid or not. */
export const tagFilter: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom("glob:*", "*", "glob:latest", "latest", "1*", "glob:1.*", "*-*", "v*3", "", "glob:"),
  fc.constantFrom(...knownConstraints).map((text) => `semver:${text}`),
  fc
    .tuple(fc.constantFrom("regexp:", "regex:"), fc.constantFrom(...knownExpressions))
    .map((parts) => parts.join("")),
);

/** The value of a policy that is on or off. Only "true" means on. */
const flag = fc.oneof(
  { arbitrary: fc.constant("true"), weight: 3 },
  fc.constantFrom("false", "True", "yes", ""),
);

/** The policies of a workload whose containers are among these. */
export function policies(containers: readonly string[]): fc.Arbitrary<Readonly<Record<string, string>>> {
  const filters = Object.fromEntries(containers.map((name) => [`tag.${name}`, tagFilter]));
  return fc.record(
    { automated: flag, locked: flag, ignore: fc.oneof(flag, fc.constant("sync_only")), ...filters },
    { requiredKeys: [] },
  );
}

/** A glob, and a tag that fits it more often than chance would have it. */
export const globAndTag: fc.Arbitrary<readonly [glob: string, tag: string]> = fc
  .array(fc.tuple(fc.stringMatching(/^[a1.?[\]-]{0,3}$/), fc.stringMatching(/^[a1.-]{0,3}$/)), {
    maxLength: 4,
  })
  .chain((parts) =>
    fc
      .tuple(fc.boolean(), fc.stringMatching(/^[a1.-]{0,6}$/))
      .map(([fits, other]) => [
        parts.map(([text]) => text).join("*"),
        fits ? parts.map(([text, run]) => text + run).join("") : other,
      ]),
  );

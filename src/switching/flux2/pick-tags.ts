import { compareGoStrings, compareVersions, parseVersion } from "@weir/base";
import { parseVersionConstraint, satisfies } from "@weir/base/semver-constraint";
import { RE2JS } from "re2js";
import type { TagFilter, TagOrder, TagPolicy } from "./tag-policy.ts";

/** The tags that match a policy of Flux v2; the first is the one that it chooses. */
export function orderTags({ filter, order }: TagPolicy, tags: readonly string[]): readonly string[] {
  const values = tags.flatMap((tag) => {
    const value = valueOf(tag, filter);
    return value === undefined ? [] : [{ tag, value }];
  });
  return sortBy(order, values).map(({ tag }) => tag);
}

interface Valued {
  readonly tag: string;
  /** What it's sorted by. */
  readonly value: string;
}

/** Undefined for a tag that doesn't match the filter. */
function valueOf(tag: string, filter: TagFilter | undefined): string | undefined {
  if (filter === undefined) {
    return tag;
  }
  const found = RE2JS.compile(filter.pattern).matcher(tag);
  if (!found.find()) {
    return undefined;
  }
  return filter.extract === undefined ? tag : (found.group(filter.extract.slice(1)) ?? "");
}

function sortBy(order: TagOrder, values: readonly Valued[]): readonly Valued[] {
  switch (order.kind) {
    case "semver":
      return byVersion(order.range, values);
    case "numerical":
      return values.toSorted((a, b) => Number(b.value) - Number(a.value));
    case "alphabetical":
      return values.toSorted((a, b) => compareGoStrings(b.value, a.value));
  }
}

/** Unlike Flux v1, Flux v2 ignores versions with fewer than three parts. */
function byVersion(range: string, values: readonly Valued[]): readonly Valued[] {
  const constraint = parseVersionConstraint(range);
  return values
    .flatMap(({ tag, value }) => {
      const version = value.split(".").length < 3 ? undefined : parseVersion(value);
      const fits = version !== undefined && constraint !== undefined && satisfies(version, constraint);
      return fits ? [{ tag, value, version }] : [];
    })
    .toSorted((a, b) => compareVersions(b.version, a.version));
}

import { compareVersions, equalJson, parseVersion } from "@weir/base";
import { type ImageInfo, parseTagPattern, sortImages, type TagPattern } from "@weir/flux";
import { orderTags } from "./pick-tags.ts";
import { anything, digits, globFilter, type TagFilter, type TagOrder, type TagPolicy } from "./tag-policy.ts";

/** A policy for Flux v2 in place of a tag pattern of Flux v1. */
export interface ChosenTagPolicy {
  readonly policy: TagPolicy;
  /** True if it chooses the same of the known tags as Flux v1. */
  readonly agrees: boolean;
  /** Comments for the exported object, in sentences. */
  readonly comments: readonly string[];
}

/** How many of the newest tags are compared. */
const compared = 10;

/**
 * Chooses the policy of Flux v2 that comes closest to a tag pattern of Flux v1, judged by the known images; undefined
 * for an invalid pattern. Flux v1 takes the image that was built last, unless the pattern is a range of versions.
 * Flux v2 doesn't know build times, so it needs an order of tags instead.
 */
export function chooseTagPolicy(text: string, images: readonly ImageInfo[]): ChosenTagPolicy | undefined {
  const pattern = parseTagPattern(text);
  if (!pattern.isValid) {
    return undefined;
  }
  const matching = images.filter(({ ref }) => ref.tag !== "" && pattern.matches(ref.tag));
  const tags = sortImages(matching, pattern).map(({ ref }) => ref.tag);
  return pattern.kind === "semver" ? forVersions(bodyOf(pattern), tags) : forTime(pattern, matching, tags);
}

function bodyOf({ kind, text }: TagPattern): string {
  return text.slice(kind.length + 1);
}

function forVersions(range: string, tags: readonly string[]): ChosenTagPolicy {
  const policy: TagPolicy = { order: { kind: "semver", range } };
  const [wanted] = tags;
  const [chosen] = orderTags(policy, tags);
  if (wanted === undefined || isSameVersion(wanted, chosen)) {
    return { policy, agrees: true, comments: [] };
  }
  return {
    policy,
    agrees: false,
    comments: [
      `Flux v2 takes only versions of three parts, such as 1.2.3: of the tags known today, Flux v1 chooses ${wanted}, and this policy ${chosen ?? "none"}.`,
      "Give all tags three parts, then set suspend to false.",
    ],
  };
}

function isSameVersion(wanted: string, chosen: string | undefined): boolean {
  const [a, b] = [parseVersion(wanted), parseVersion(chosen ?? "")];
  return wanted === chosen || (a !== undefined && b !== undefined && compareVersions(a, b) === 0);
}

/** Takes the first order of Flux v2 that sorts the known tags by build time. */
function forTime(
  pattern: TagPattern,
  images: readonly ImageInfo[],
  tags: readonly string[],
): ChosenTagPolicy {
  const candidates = candidatesFor(pattern);
  const isKnown = tags.length > 1 && images.every(({ createdAt }) => createdAt !== undefined);
  const fitting = isKnown ? candidates.find((policy) => isOrderOf(policy, tags)) : undefined;
  if (fitting !== undefined) {
    return {
      policy: fitting,
      agrees: true,
      comments: [
        `Flux v1 takes the image that was built last; this policy takes ${printOrder(fitting.order)}. For the newest ${Math.min(tags.length, compared)} tags known today that is the same.`,
      ],
    };
  }
  const policy =
    candidates.find((each) => tags.length > 0 && orderTags(each, tags).length === tags.length) ??
    lastOf(candidates);
  const [wanted] = tags;
  return {
    policy,
    agrees: false,
    comments: [
      ...(isKnown
        ? [
            `Flux v1 takes the image that was built last (today ${wanted ?? "none"}). Flux v2 doesn't know build times, and none of its orders sorts these tags by them.`,
          ]
        : [
            "Flux v1 takes the image that was built last. Flux v2 doesn't know build times, and fluxd knows too few tags to tell which order sorts them by build time.",
          ]),
      "Suspended, so that it deploys nothing by mistake. Build images with tags that contain a growing number, such as a build number or a timestamp, adapt this policy, then set suspend to false.",
    ],
  };
}

function candidatesFor(pattern: TagPattern): readonly TagPolicy[] {
  const body = bodyOf(pattern);
  const filterOf = (star: string): TagFilter | undefined =>
    pattern.kind === "glob" ? globFilter(body, star) : { pattern: body };
  const numbers = filterOf(digits);
  return [
    // Flux v2 fails on a tag that isn't a number, so the filter has to exclude such tags.
    ...(numbers?.extract === undefined ? [] : [policyOf(numbers, { kind: "numerical" })]),
    policyOf(filterOf(anything), { kind: "semver", range: "*" }),
    policyOf(filterOf(anything), { kind: "alphabetical" }),
  ];
}

function policyOf(filter: TagFilter | undefined, order: TagOrder): TagPolicy {
  return { order, ...(filter === undefined ? {} : { filter }) };
}

function isOrderOf(policy: TagPolicy, tags: readonly string[]): boolean {
  const newest = tags.slice(0, compared);
  const ordered = orderTags(policy, tags);
  return ordered.length === tags.length && equalJson(ordered.slice(0, compared), newest);
}

function lastOf(candidates: readonly TagPolicy[]): TagPolicy {
  return candidates.at(-1) ?? { order: { kind: "alphabetical" } };
}

function printOrder({ kind }: TagOrder): string {
  switch (kind) {
    case "semver":
      return "the highest version";
    case "numerical":
      return "the highest number";
    case "alphabetical":
      return "the last tag in alphabetical order";
  }
}

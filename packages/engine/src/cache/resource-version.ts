const decimal = /^(0|[1-9][0-9]*)$/;

/**
 * Compares two resource versions of one kind: negative if the first is earlier, 0 if they're the same,
 * undefined if that can't be determined. Kubernetes 1.35 defines that versions that are whole numbers compare
 * as numbers; other versions can only be compared for equality.
 */
export function compareResourceVersions(one: string, other: string): number | undefined {
  if (one === other) {
    return 0;
  }
  if (!decimal.test(one) || !decimal.test(other)) {
    return undefined;
  }
  return one.length === other.length ? (one < other ? -1 : 1) : one.length - other.length;
}

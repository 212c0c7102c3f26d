const decimal = /^(0|[1-9][0-9]*)$/;

/**
 * Which of two resource versions of one kind is later: negative where the first is the earlier one, 0 where they
 * are the same; undefined where that cannot be told. Kubernetes 1.35 states that they compare as whole numbers
 * where they are such; whatever else a server uses can only be compared for being the same.
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

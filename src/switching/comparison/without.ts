/** A map of texts without some of its keys. */
export function without(
  map: Readonly<Record<string, string>> | null | undefined,
  ...keys: readonly string[]
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(map ?? {}).filter(([key]) => !keys.includes(key)));
}

/** A number with its noun, such as `1,204 workloads`. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : several}`;
}

/** A list as a phrase, such as `a, b and 3 more`. */
export function listed(items: readonly string[], most = 3): string {
  const [shown, rest] = [items.slice(0, most), items.length - most];
  if (rest > 0) {
    return `${shown.join(", ")} and ${rest.toLocaleString("en")} more`;
  }
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1) ?? ""}`;
}

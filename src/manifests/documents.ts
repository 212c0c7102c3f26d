/** Joins YAML texts to one, with a separator line before each. Same as in Flux v1. */
export function joinDocuments(texts: readonly string[]): string {
  return texts
    .map((text, index) => {
      const before = texts[index - 1] ?? "";
      const isMidLine = before !== "" && !before.endsWith("\n");
      return `${isMidLine ? "\n" : ""}---\n${text}`;
    })
    .join("");
}

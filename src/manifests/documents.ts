/** Several YAML texts as one, each after a line of its own that parts it from what is before. As Flux v1. */
export function joinDocuments(texts: readonly string[]): string {
  return texts
    .map((text, index) => {
      const before = texts[index - 1] ?? "";
      const isMidLine = before !== "" && !before.endsWith("\n");
      return `${isMidLine ? "\n" : ""}---\n${text}`;
    })
    .join("");
}

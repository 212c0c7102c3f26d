/** Several YAML texts as one, each after a line of its own that parts it from what is before. As Flux v1. */
export function joinDocuments(texts: readonly string[]): string {
  let joined = "";
  for (const text of texts) {
    const isMidLine = joined !== "" && !joined.endsWith("\n");
    joined += `${isMidLine ? "\n" : ""}---\n${text}`;
  }
  return joined;
}

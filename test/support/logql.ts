/**
 * The lines that a query of LogQL selects, without its stream selector: line filters (`|= "text"`), and filters for
 * labels that `logfmt` has made. Throws on stages that it doesn't know. It isn't Loki: it knows only what our
 * documentation uses.
 */
export function selectLines(query: string, lines: readonly string[]): readonly string[] {
  const stages = /\}((?:\s*\|(?:=\s*)?(?:[^"|\[\]]|"[^"]*")+)*)/.exec(query)?.[1] ?? "";
  return stagesOf(stages).reduce<readonly string[]>((left, stage) => left.filter(filterOf(stage)), lines);
}

function stagesOf(text: string): readonly string[] {
  return [...text.matchAll(/\|((?:[^"|]|"[^"]*")+)/g)].map(([, stage = ""]) => stage.trim());
}

function filterOf(stage: string): (line: string) => boolean {
  const [, contained] = /^=\s*"(.*)"$/.exec(stage) ?? [];
  if (contained !== undefined) {
    return (line) => line.includes(contained);
  }
  const [, key = "", operator, value] = /^(\w+)(=|!=)"(.*)"$/.exec(stage) ?? [];
  if (operator !== undefined) {
    return (line) => ((parseLogfmt(line).get(key) ?? "") === value) === (operator === "=");
  }
  const [, format] = /^line_format "(.*)"$/.exec(stage) ?? [];
  if (format !== undefined) {
    const keys = [...format.matchAll(/\{\{\.(\w+)\}\}/g)].map(([, name = ""]) => name);
    // An error is missing where there is none.
    return (line) => keys.every((name) => name === "err" || parseLogfmt(line).has(name));
  }
  if (stage !== "logfmt") {
    throw new Error(`unknown stage: ${stage}`);
  }
  return () => true;
}

/** The fields of a line in logfmt. */
function parseLogfmt(line: string): ReadonlyMap<string, string> {
  const fields = line.matchAll(/([\w.-]+)=(?:"((?:[^"\\]|\\.)*)"|(\S*))/g);
  return new Map([...fields].map(([, key = "", quoted, bare = ""]) => [key, quoted ?? bare]));
}

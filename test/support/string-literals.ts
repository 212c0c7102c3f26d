import ts from "typescript";

/** What stands for a value in a template literal, here and in the documentation. */
export const placeholder = "…";

/** The string literals of a TypeScript file; in templates, an ellipsis stands for each value. */
export function stringLiterals(source: string): readonly string[] {
  const found: string[] = [];
  visit(ts.createSourceFile("file.ts", source, ts.ScriptTarget.Latest));
  return found;

  function visit(node: ts.Node): void {
    const text = textOf(node);
    if (text !== undefined) {
      found.push(text);
    }
    ts.forEachChild(node, visit);
  }
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) {
    return node.text;
  }
  return ts.isTemplateExpression(node)
    ? node.head.text + node.templateSpans.map(({ literal }) => placeholder + literal.text).join("")
    : undefined;
}

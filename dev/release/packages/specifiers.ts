import ts from "typescript";

/** The name of a module in a source, as it's written between quotes from `start` to `end`. */
export interface Specifier {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** All imports and exports of JavaScript or of declarations that name another module, in order. */
export function specifiersOf(text: string): readonly Specifier[] {
  const file = ts.createSourceFile("file.d.ts", text, ts.ScriptTarget.Latest);
  const found: Specifier[] = [];
  const visit = (node: ts.Node): void => {
    const literal = moduleNameOf(node);
    if (literal !== undefined) {
      found.push({ name: literal.text, start: literal.getStart(file) + 1, end: literal.getEnd() - 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function moduleNameOf(node: ts.Node): ts.StringLiteral | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
    return asLiteral(node.moduleSpecifier);
  }
  if (ts.isImportTypeNode(node)) {
    return ts.isLiteralTypeNode(node.argument) ? asLiteral(node.argument.literal) : undefined;
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    return asLiteral(node.arguments[0]);
  }
  return undefined;
}

function asLiteral(node: ts.Node | undefined): ts.StringLiteral | undefined {
  return node !== undefined && ts.isStringLiteral(node) ? node : undefined;
}

/** The text with other names of modules, as `rename` says. */
export function withSpecifiers(text: string, rename: (name: string) => string): string {
  return specifiersOf(text).reduceRight(
    (result, { name, start, end }) => result.slice(0, start) + rename(name) + result.slice(end),
    text,
  );
}

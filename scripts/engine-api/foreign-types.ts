import ts from "typescript";

/** A type that is referenced here and declared elsewhere. */
export interface ForeignType {
  readonly name: string;
  readonly file: string;
}

/** Our own types that declarations reference and don't declare, by name. */
export function foreignTypesOf(
  declarations: readonly ts.Statement[],
  checker: ts.TypeChecker,
): readonly ForeignType[] {
  const own = new Set<ts.Node>(declarations);
  const found = new Map<string, ForeignType>();
  for (const declaration of declarations) {
    for (const type of typesIn(declaration, checker)) {
      const file = type.getSourceFile();
      const statement = ts.findAncestor(type, ts.isStatement);
      if (statement !== undefined && !own.has(statement) && !file.fileName.includes("/node_modules/")) {
        const name = "name" in type && isIdentifier(type.name) ? type.name.text : type.getText();
        found.set(`${name} ${file.fileName}`, { name, file: file.fileName });
      }
    }
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The declarations of the types in a declaration, without function bodies. */
function typesIn(declaration: ts.Statement, checker: ts.TypeChecker): readonly ts.Declaration[] {
  const types: ts.Declaration[] = [];
  function visit(node: ts.Node): void {
    if (ts.isBlock(node) || (ts.isClassElement(node) && node.name && ts.isPrivateIdentifier(node.name))) {
      return;
    }
    if (ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node)) {
      const name = ts.isTypeReferenceNode(node) ? node.typeName : node.expression;
      types.push(...declarationsOf(name, checker));
    }
    ts.forEachChild(node, visit);
  }
  visit(declaration);
  return types;
}

function declarationsOf(name: ts.Node, checker: ts.TypeChecker): readonly ts.Declaration[] {
  const symbol = checker.getSymbolAtLocation(name);
  if (symbol === undefined) {
    return [];
  }
  const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
  const declarations = (isAlias ? checker.getAliasedSymbol(symbol) : symbol).declarations ?? [];
  return declarations.filter((declaration) => !ts.isTypeParameterDeclaration(declaration));
}

function isIdentifier(value: unknown): value is ts.Identifier {
  return (
    typeof value === "object" && value !== null && "kind" in value && value.kind === ts.SyntaxKind.Identifier
  );
}

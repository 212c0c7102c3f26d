import ts from "typescript";

/**
 * A declaration with its docblock, as a user of the package sees it: without function bodies and private
 * members.
 */
export function printDeclaration(statement: ts.Statement): string {
  const text = ts.isFunctionDeclaration(statement)
    ? withoutBody(statement)
    : ts.isClassDeclaration(statement)
      ? printClass(statement)
      : statement.getText();
  const doc = docOf(statement);
  return doc === "" ? text : `${doc}\n${text}`;
}

function printClass(declaration: ts.ClassDeclaration): string {
  const source = declaration.getSourceFile();
  const head = source.text.slice(declaration.getStart(), declaration.members.pos).trimEnd();
  const members = declaration.members
    .filter(({ name }) => name === undefined || !ts.isPrivateIdentifier(name))
    .map((member) => [docOf(member), withoutBody(member)].filter((part) => part !== "").join("\n  "));
  return `${head}\n${members.map((member) => `  ${member}\n`).join("")}}`;
}

/** A function, method, or constructor without its body. */
function withoutBody(node: ts.Node): string {
  const body = "body" in node && isNode(node.body) ? node.body : undefined;
  if (body === undefined) {
    return node.getText();
  }
  return `${node.getSourceFile().text.slice(node.getStart(), body.getStart()).trimEnd()};`;
}

function docOf(node: ts.Node): string {
  return ts
    .getJSDocCommentsAndTags(node)
    .filter((doc) => doc.parent === node && ts.isJSDoc(doc))
    .map((doc) => doc.getText())
    .join("\n");
}

function isNode(value: unknown): value is ts.Node {
  return typeof value === "object" && value !== null && "kind" in value && "pos" in value;
}

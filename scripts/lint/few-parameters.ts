/**
 * The rule of our own: what others can call, exported functions and the public methods of exported classes and interfaces,
 * takes at most three positional parameters, or four of which one is a signal or the options of an error.
 */
import type { RuleTester } from "oxlint/plugins-dev";

/** Exported by oxlint only as what its tester takes. */
type Rule = Extract<Parameters<RuleTester["run"]>[1], { readonly create: object }>;
type Visitor = ReturnType<Rule["create"]>;
type ExportNode = Parameters<NonNullable<Visitor["ExportNamedDeclaration"]>>[0];
type Declaration = NonNullable<ExportNode["declaration"]>;
type ClassNode = Extract<Declaration, { readonly type: "ClassDeclaration" | "ClassExpression" }>;
type ClassMember = ClassNode["body"]["body"][number];
type InterfaceNode = Extract<Declaration, { readonly type: "TSInterfaceDeclaration" }>;
type InterfaceMember = InterfaceNode["body"]["body"][number];
type Callable = Parameters<
  NonNullable<
    Visitor["FunctionDeclaration" | "ArrowFunctionExpression" | "TSMethodSignature" | "TSFunctionType"]
  >
>[0];
type Parameter = Callable["params"][number];

const message = "Take an object with named fields: more than three positional parameters beside a signal.";

/** Types of parameters that mean the same everywhere, and come last. */
const uncounted = /^(?:AbortSignal|ErrorOptions)$/;

export const fewParameters: Rule = {
  create: (context) => ({
    ExportNamedDeclaration({ declaration }) {
      for (const node of declaration === null ? [] : callablesOf(declaration)) {
        if (hasTooMany(node.params)) {
          context.report({ node, message });
        }
      }
    },
  }),
};

function hasTooMany(parameters: readonly Parameter[]): boolean {
  return parameters.length > 4 || (parameters.length > 3 && !parameters.some(isUncounted));
}

function isUncounted(parameter: Parameter): boolean {
  const pattern = parameter.type === "AssignmentPattern" ? parameter.left : parameter;
  if (pattern.type !== "Identifier") {
    return false;
  }
  const annotation = pattern.typeAnnotation?.typeAnnotation;
  const name = annotation?.type === "TSTypeReference" ? annotation.typeName : undefined;
  return pattern.name === "signal" || (name?.type === "Identifier" && uncounted.test(name.name));
}

function callablesOf(declaration: Declaration): readonly Callable[] {
  switch (declaration.type) {
    case "FunctionDeclaration":
      return [declaration];
    case "VariableDeclaration":
      return declaration.declarations.flatMap(({ init }) => (isFunction(init) ? [init] : []));
    case "ClassDeclaration":
      return declaration.body.body.flatMap(callablesOfClass);
    case "TSInterfaceDeclaration":
      return declaration.body.body.flatMap(callablesOfInterface);
    case "TSTypeAliasDeclaration":
      return isFunctionType(declaration.typeAnnotation) ? [declaration.typeAnnotation] : [];
    default:
      return [];
  }
}

function callablesOfClass(member: ClassMember): readonly Callable[] {
  if (!("value" in member) || member.key.type === "PrivateIdentifier" || member.accessibility === "private") {
    return [];
  }
  return isFunction(member.value) ? [member.value] : [];
}

function callablesOfInterface(member: InterfaceMember): readonly Callable[] {
  if (member.type === "TSMethodSignature") {
    return [member];
  }
  const type = member.type === "TSPropertySignature" ? member.typeAnnotation?.typeAnnotation : undefined;
  return isFunctionType(type) ? [type] : [];
}

function isFunction(node: { readonly type: string } | null): node is Callable {
  return node !== null && "params" in node;
}

function isFunctionType(node: { readonly type: string } | undefined): node is Callable {
  return node?.type === "TSFunctionType";
}

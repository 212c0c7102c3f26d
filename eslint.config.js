/**
 * The one rule of our own. All others, which know types, are in .oxlintrc.json: oxlint takes half a minute for what
 * ESLint takes many for.
 */
import parser from "@typescript-eslint/parser";

/** Functions that others can call: exported ones, and the public methods of exported classes and interfaces. */
const publicFunctions = [
  "FunctionDeclaration",
  "VariableDeclaration > VariableDeclarator > ArrowFunctionExpression",
  'ClassDeclaration > ClassBody > [accessibility!="private"][key.type!="PrivateIdentifier"] > .value',
  "TSInterfaceDeclaration > TSInterfaceBody > TSMethodSignature",
  "TSInterfaceDeclaration > TSInterfaceBody > TSPropertySignature > TSTypeAnnotation > TSFunctionType",
  "TSTypeAliasDeclaration > TSFunctionType",
].map((selector) => `ExportNamedDeclaration > ${selector}`);

/** Parameters that mean the same everywhere, and come last: a signal, and the options of an error. */
const uncounted = [
  '> [name="signal"]',
  '> [left.name="signal"]',
  "> [typeAnnotation.typeAnnotation.typeName.name=/^(AbortSignal|ErrorOptions)$/]",
].join(", ");

const tooManyParameters = `:matches([params.length>4], [params.length>3]:not(:has(${uncounted})))`;

export default [
  { ignores: ["dist/**", "node_modules/**", "test/fixtures/**", "**/*.{js,cjs,mjs}"] },
  {
    files: ["{src,cmd,packages,test,bench,scripts}/**/*.{ts,tsx}"],
    languageOptions: { parser },
    rules: {
      "no-restricted-syntax": [
        "error",
        {
          selector: publicFunctions.map((selector) => `${selector}${tooManyParameters}`).join(", "),
          message: "Take an object with named fields: more than three positional parameters beside a signal.",
        },
      ],
    },
  },
];

import tseslint from "typescript-eslint";

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

export default tseslint.config(
  { ignores: ["dist/**", "node_modules/**", "test/fixtures/**", "**/*.cjs"] },
  {
    files: ["**/*.ts", "**/*.tsx"],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true },
      ],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "func-style": ["error", "declaration", { allowArrowFunctions: true }],
      eqeqeq: "error",
    },
  },
  {
    files: ["{src,cmd,packages,test,bench,scripts}/**/*.{ts,tsx}"],
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
  {
    files: ["test/**/*.ts", "packages/*/test/**/*.ts", "packages/testing/src/**/*.ts"],
    rules: {
      // node:test's describe, it and test return promises that the runner itself awaits.
      "@typescript-eslint/no-floating-promises": [
        "error",
        {
          allowForKnownSafeCalls: [
            { from: "package", name: ["describe", "it", "test", "suite"], package: "node:test" },
          ],
        },
      ],
    },
  },
);

/**
 * `npm run generate`: writes the generated files of the repository. `npm run generate -- deploy api-docs`
 * runs only the named generators. A test fails if a generated file is out of date
 * (test/integration/generated-files.test.ts).
 */
import { refresh } from "./generate/generated-file.ts";
import { generators } from "./generate/generators.ts";

async function main(names: readonly string[]): Promise<number> {
  const unknown = names.filter((name) => !generators.some((generator) => generator.name === name));
  if (unknown.length > 0) {
    const known = generators.map(({ name }) => name).join(", ");
    console.error(`npm run generate: unknown generator ${unknown.join(", ")}; choose from ${known}`);
    return 2;
  }
  for (const generator of generators.filter(({ name }) => names.length === 0 || names.includes(name))) {
    for (const file of await generator.generate()) {
      console.log(`${file.path}: ${refresh(file) ? "written" : "up to date"}`);
    }
  }
  return 0;
}

process.exitCode = await main(process.argv.slice(2));

import { posix } from "node:path";
import { hasTextOf } from "../../../scripts/licenses/module-texts.ts";
import type { Bom, Component } from "./boms.ts";
import { copyrightFile, type ImageDocuments } from "./image-documents.ts";
import { isModule, moduleNameOf } from "./module-licenses.ts";

/** A sentence for each module in a Go program of an image whose license the image doesn't have. */
export function missingTexts(bom: Bom, { name, files }: ImageDocuments): readonly string[] {
  return (bom.components ?? []).filter(isListed).flatMap((component) => {
    const module = { path: moduleNameOf(component), version: component.version ?? "" };
    const lacking = programsOf(component).filter(
      (program) => !hasTextOf(files.get(copyrightFile(program)) ?? "", module),
    );
    return lacking.map(
      (program) =>
        `the image ${name} lacks the license of ${module.path} ${module.version} in ${copyrightFile(program)}: run "npm run generate -- tool-licenses"`,
    );
  });
}

/** Syft also recognizes whole programs, whose modules it lists anyway. */
function isListed(component: Component): boolean {
  return isModule(component) && propertiesOf(component, /^syft:package:foundBy$/)[0] !== classifier;
}

const classifier = "binary-classifier-cataloger";

/** The names of the programs that contain a module; "" for one of which Syft doesn't say it. */
function programsOf(component: Component): readonly string[] {
  const paths = propertiesOf(component, /^syft:location:\d+:path$/);
  return paths.length === 0 ? [""] : paths.map((path) => posix.basename(path));
}

function propertiesOf({ properties = [] }: Component, name: RegExp): readonly string[] {
  return properties.filter((each) => name.test(each.name)).map(({ value }) => value);
}

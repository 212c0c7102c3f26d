import type { LicensedPackage } from "../../../scripts/licenses/judge.ts";
import { type Bom, type Component, type LicenseChoice, termOf } from "./boms.ts";

/**
 * Files of modules that Syft takes for licenses, or that are licenses of what isn't in a program: sources and other files
 * with such a name, notices, and whatever belongs to tests, manuals, templates, and logos.
 */
const notOfPrograms: readonly RegExp[] = [
  /\.(go|html|js|json|py|sh|tpl|ya?ml)$/,
  /(^|\/)NOTICE(\.\w+)?$/,
  /(^|\/)(testdata|logo)\//,
  /(^|\/)LICENSE(\.docs|_TEMPLATE)$/,
];

/** What people have found where Syft finds nothing. */
const foundByPeople: Readonly<Record<string, string>> = {
  // Syft looks for the version that kubectl's go.mod replaces with this one.
  "k8s.io/kubectl": "Apache-2.0",
  // It's in the source, and in no file of its own.
  "go.mozilla.org/gopgagent": "Apache-2.0",
  // Syft lists Helm twice: as a program, and as the module helm.sh/helm/v3, whose license it finds.
  "helm.sh/helm": "Apache-2.0",
};

/** The SBOM, in which modules of Go have the licenses of their code, each once. */
export function withModuleLicenses(bom: Bom): Bom {
  const components = (bom.components ?? []).map((each) =>
    isModule(each) ? { ...each, licenses: licensesOf(each) } : each,
  );
  return { ...bom, components };
}

/** The modules of Go in an SBOM. */
export function modulesIn({ components = [] }: Bom): readonly LicensedPackage[] {
  return components.filter(isModule).map((each) => ({
    name: moduleNameOf(each),
    version: each.version ?? "",
    license: (each.licenses ?? []).map(termOf).join(" AND "),
  }));
}

/** True for a module of Go. */
export function isModule({ purl = "" }: Component): boolean {
  return purl.startsWith("pkg:golang/");
}

/** "k8s.io/api" of "pkg:golang/k8s.io/api@v0.21.14". */
export function moduleNameOf({ purl = "" }: Component): string {
  return decodeURIComponent(purl.replace(/^pkg:golang\//, "").replace(/@.*$/, ""));
}

function licensesOf(component: Component): readonly LicenseChoice[] {
  const ofCode = (component.licenses ?? []).filter(
    ({ license }) => !notOfPrograms.some((each) => each.test(license?.url ?? "")),
  );
  const known = foundByPeople[moduleNameOf(component)];
  const terms = ofCode.map(termOf);
  const distinct = ofCode.filter((each, index) => terms.indexOf(termOf(each)) === index);
  return distinct.length > 0 || known === undefined ? distinct : [{ license: { id: known } }];
}

/** Takes the comment marks away from the items of lists that have a certain name, as people do in manifests. */
export function uncomment(yaml: string, name: string): string {
  const items = new RegExp(String.raw`^( *)# - name: ${name}\n(?:\1# .*\n)+`, "gm");
  return yaml.replaceAll(items, (lines) => lines.replaceAll(/^( *)# /gm, "$1"));
}

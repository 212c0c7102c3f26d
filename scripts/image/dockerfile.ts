import { withRegion } from "../generate/region.ts";
import { type ImageTools, licensesFile, type ToolDownload } from "./tools.ts";

const name = { begin: "# name: generated from src/own-image/own-image.ts", end: "# /name" };
const downloads = { begin: "# downloads: generated from docker/tools.json", end: "# /downloads" };
const licenses = { begin: "# licenses: generated from docker/tools.json", end: "# /licenses" };

/** The Dockerfile with its generated parts. */
export function withImageTools(dockerfile: string, tools: ImageTools, image: string): string {
  const named = withRegion(dockerfile, name, `# To build it: docker build --tag=${image} .\n`);
  const downloading = withRegion(named, downloads, tools.downloads.map(printDownload).join(""));
  return withRegion(downloading, licenses, tools.downloads.map(printLicenses).join(""));
}

/** Shell words only: nothing in tools.json needs quoting. */
function printDownload({ command, url, member, digest }: ToolDownload): string {
  const [algorithm = "", hash = ""] = digest.split(":");
  const unpack =
    member === undefined
      ? `mv download ${command}`
      : `tar --extract --gzip --file=download --transform='s|.*/||' ${member} && rm download`;
  return `RUN wget --quiet --output-document=download ${url} \\
  && echo "${hash}  download" | ${algorithm}sum --check --strict \\
  && ${unpack} \\
  && chmod 0755 ${command}
`;
}

/** Where Debian's packages have theirs. */
function printLicenses({ command }: ToolDownload): string {
  return `COPY --chmod=0644 ${licensesFile(command)} /usr/share/doc/${command}/copyright\n`;
}

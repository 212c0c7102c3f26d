// Prints the package with Node for this machine and its checksum, or nothing where there is none. Runs on any old Node.
const { packages } = require("./package-lock.json");

for (const [folder, { version, integrity, os, cpu }] of Object.entries(packages)) {
  if ([].concat(os).includes(process.platform) && [].concat(cpu).includes(process.arch)) {
    console.log(`${folder.slice("node_modules/".length)}@${version} ${integrity}`);
  }
}

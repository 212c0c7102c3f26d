import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { lacks, TempFolder } from "@weir/testing";
import { platforms, releaseName } from "../../dev/release/binaries/platforms.ts";
import { writeFormula } from "../../dev/release/binaries/write-formula.ts";
import { releaseContext } from "../support/release-context.ts";

const run = promisify(execFile);

/**
 * What of Homebrew's Formula this one uses. It runs as on one system and processor, and prints what is downloaded and
 * what is installed.
 */
const homebrew = `
class Formula
  class << self
    def url(value = nil) = value.nil? ? @url : @url = value
    def sha256(value = nil) = value.nil? ? @sha256 : @sha256 = value
    def version(value = nil) = value.nil? ? @version : @version = value
    %i[desc homepage license].each { |name| define_method(name) { |value| value } }
    def on_macos = (yield if ENV["SYSTEM"] == "darwin")
    def on_linux = (yield if ENV["SYSTEM"] == "linux")
    def on_intel = (yield if ENV["ARCHITECTURE"] == "amd64")
    def on_arm = (yield if ENV["ARCHITECTURE"] == "arm64")
    def test(&block) = @test = block
  end
  class Folder
    def initialize(name) = @name = name
    def install(*files) = files.flatten.each { |file| puts "#{@name}: #{file.is_a?(Hash) ? file.to_a.join(" as ") : file}" }
  end
  %i[bin man1 bash_completion zsh_completion fish_completion].each do |name|
    define_method(name) { Folder.new(name) }
  end
end
load ARGV.fetch(0)
puts Fluxctl.url, Fluxctl.sha256, Fluxctl.version
Fluxctl.new.install
`;

describe("the formula", { skip: lacks("Ruby") }, () => {
  it("is Ruby, and downloads and installs the archive of each system with its checksum", async () => {
    using folder = new TempFolder();
    const context = releaseContext(folder.path, { version: "1.2.3" });
    const own = platforms.filter(({ system }) => system !== "windows");
    const archives = own.map((platform) => {
      const name = `${releaseName("fluxctl", "1.2.3", platform)}.tar.gz`;
      return folder.write(`out/bin/${name}`, `the archive ${name}`);
    });
    folder.write("man/man1/fluxctl.1", "");
    const others = [
      folder.write("out/bin/fluxd_1.2.3_linux_amd64.tar.gz", "fluxd"),
      folder.write("out/bin/weir-fluxctl_1.2.3_amd64.deb", "a package"),
    ];

    const formula = await writeFormula([...archives, ...others], context);

    assert.equal(formula, join(context.out, "bin", "fluxctl.rb"));
    assert.equal((await run("ruby", ["-wc", formula])).stdout, "Syntax OK\n");
    for (const [index, { system, architecture }] of own.entries()) {
      const archive = archives[index] ?? "";
      const { stdout } = await run("ruby", [folder.write("homebrew.rb", homebrew), formula], {
        env: {
          ...process.env,
          ...{ SYSTEM: system, ARCHITECTURE: architecture },
          HOMEBREW_WEIR_URL: "https://example.com/weir/1.2.3",
        },
        cwd: folder.path,
      });
      assert.deepEqual(stdout.trimEnd().split("\n"), [
        `https://example.com/weir/1.2.3/${basename(archive)}`,
        createHash("sha256").update(readFileSync(archive)).digest("hex"),
        "1.2.3",
        "bin: fluxctl",
        "man1: man/man1/fluxctl.1",
        "bash_completion: completions/fluxctl.bash as fluxctl",
        "zsh_completion: completions/_fluxctl",
        "fish_completion: completions/fluxctl.fish",
      ]);
    }
  });
});

/** What a formula is made of. */
export interface FormulaOptions {
  readonly version: string;
  /** SHA-256 in hex of the archives with fluxctl, by "system_architecture". */
  readonly checksums: ReadonlyMap<string, string>;
}

/**
 * A formula for Homebrew that installs fluxctl. Where the release is published is up to whoever uses it: the environment
 * variable HOMEBREW_WEIR_URL names the address, as in docs/install.md.
 */
export function printFormula({ version, checksums }: FormulaOptions): string {
  const source = (system: string, architecture: string): string => {
    const platform = `${system}_${architecture}`;
    const sum = checksums.get(platform);
    if (sum === undefined) {
      throw new Error(`there is no archive for ${platform}`);
    }
    return `      url "#{base}/fluxctl_${version}_${platform}.tar.gz"
      sha256 "${sum}"`;
  };
  const onSystem = (system: string, name: string): string => `  on_${name} do
    on_intel do
${source(system, "amd64")}
    end
    on_arm do
${source(system, "arm64")}
    end
  end`;
  return `class Fluxctl < Formula
  base = ENV.fetch("HOMEBREW_WEIR_URL")

  desc "Command-line of Weir, a drop-in replacement for Flux v1"
  homepage base
  version "${version}"
  license "Apache-2.0"

${onSystem("darwin", "macos")}

${onSystem("linux", "linux")}

  def install
    bin.install "fluxctl"
    man1.install Dir["man/man1/*"]
    bash_completion.install "completions/fluxctl.bash" => "fluxctl"
    zsh_completion.install "completions/_fluxctl"
    fish_completion.install "completions/fluxctl.fish"
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/fluxctl version").strip
  end
end
`;
}

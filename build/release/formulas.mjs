/** A Homebrew formula and a Scoop manifest. Both install the npm package, which is the same for every system. */

/** @param {{ url: string, sha256: string, version: string, description: string }} tarball the npm package */
export function homebrewFormula({ url, sha256, description }) {
  return `class Skyctl < Formula
  desc "${description.split(':')[0]}"
  homepage "${url.replace(/\/[^/]*$/, '')}"
  url "${url}"
  sha256 "${sha256}"
  license "MIT"

  depends_on "node"

  def install
    system "npm", "install", "--offline", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
    package = libexec/"lib/node_modules/skyctl"
    man1.install_symlink package.glob("docs/man/*.1")
    bash_completion.install_symlink package/"completions/skyctl.bash" => "skyctl"
    zsh_completion.install_symlink package/"completions/skyctl.zsh" => "_skyctl"
    fish_completion.install_symlink package/"completions/skyctl.fish"
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/skyctl --version").strip
    assert_match "us-east", shell_output("#{bin}/skyctl --context sandbox regions list --json")
  end
end
`
}

/** Scoop starts Node.js itself, so that Ctrl+C asks no question about a batch file. */
export function scoopManifest({ url, sha256, version, description }) {
  const manifest = {
    version,
    description,
    homepage: url.replace(/\/[^/]*$/, ''),
    license: 'MIT',
    depends: 'nodejs-lts',
    url,
    hash: sha256,
    extract_dir: 'package',
    bin: [['node', 'skyctl', '"$dir\\bin\\skyctl.js"']],
  }
  return `${JSON.stringify(manifest, null, 4)}\n`
}

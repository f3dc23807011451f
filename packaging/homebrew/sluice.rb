# The formula for Homebrew, built from source.
#
# This formula has never run, since no Mac was available. Before you publish a release with it, fill in `url` and `sha256`
# (the archive of the tag's sources), then run: brew install --build-from-source ./sluice.rb && brew test sluice
class Sluice < Formula
  desc "Says whether a prompt change may ship: an evaluation harness for AI features"
  url "" # the address of the archive of the tag
  sha256 "" # its checksum
  license "Apache-2.0"

  depends_on "pkgconf" => :build
  # Swift 6.2 comes with Xcode 26.
  depends_on xcode: ["26.0", :build]
  depends_on "curl"
  depends_on "libyaml"
  depends_on :macos
  depends_on "pcre2"

  def install
    system "swift", "build", "--disable-sandbox", "--configuration", "release", "--product", "sluice"
    bin.install ".build/release/sluice"
    generate_completions_from_executable(bin/"sluice", "--generate-completion-script")
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/sluice --version").chomp
    system bin/"sluice", "init"
    assert_match(/^PASS/, shell_output("#{bin}/sluice run"))
  end
end

"""The formula for Homebrew, which builds the command from source. Written here, and not run on a Mac."""

from .common import HOMEPAGE, NAME, SUMMARY


def formula(release, source, checksum):
    """
    - source: the name of the archive with the sources, a file of the release.
    """
    return f"""\
class ApnsToolkit < Formula
  desc "{SUMMARY}"
  homepage "{HOMEPAGE}"
  url "{HOMEPAGE}/releases/download/{release.version}/{source}"
  sha256 "{checksum}"
  license "Apache-2.0"

  depends_on "pkgconf" => :build
  depends_on xcode: ["26.0", :build]
  depends_on "hiredis"
  depends_on "libnghttp2"
  depends_on "libpq"
  depends_on macos: :sequoia
  depends_on "openssl@3"

  def install
    ENV["SWIFT_DETERMINISTIC_HASHING"] = "1"
    system "swift", "build", "--disable-sandbox", "--configuration", "release", "--product", "apns"
    bin.install ".build/release/apns"
    man1.install Dir["docs/man/*.1"]
    generate_completions_from_executable(bin/"apns", "completions")
  end

  test do
    (testpath/"push.json").write '{{"aps":{{"alert":"Hello"}}}}'
    system bin/"apns", "validate", "push.json"
    system bin/"apns", "demo"
  end
end
"""

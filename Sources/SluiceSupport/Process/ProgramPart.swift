import CLibcurl
import CLibyaml
import CPCRE2
import CZlib

/// A library that Sluice uses: a library of the system, or a library that is linked into the
/// program.
package struct ProgramPart: Hashable, Sendable {
  package var name: String
  /// The version in use, or `nil` if the library does not report one.
  package var version: String?
  /// The license as an SPDX expression.
  package var license: String

  /// All libraries.
  ///
  /// C libraries come first, with the versions that this process has loaded.
  package static var all: [ProgramPart] {
    let curl = sluice_curl_version()?.pointee
    var parts = [ProgramPart(name: "curl", version: text(curl?.version), license: "curl")]
    if let version = text(curl?.nghttp2_version) {
      parts.append(ProgramPart(name: "nghttp2", version: version, license: "MIT"))
    }
    // The text looks like "OpenSSL/3.0.22". Other TLS libraries are not listed.
    if let words = text(curl?.ssl_version)?.split(separator: "/"), words[0] == "OpenSSL" {
      parts.append(
        ProgramPart(name: "OpenSSL", version: words.last.map(String.init), license: "Apache-2.0")
      )
    }
    parts += [
      ProgramPart(name: "libyaml", version: text(yaml_get_version_string()), license: "MIT"),
      ProgramPart(name: "PCRE2", version: regexVersion, license: "BSD-3-Clause"),
      ProgramPart(name: "zlib", version: text(zlibVersion()), license: "Zlib"),
    ]
    let swift = "Apache-2.0 WITH Swift-exception"
    let names = ["Swift runtime", "swift-argument-parser", "swift-subprocess", "swift-system"]
    parts += names.map { ProgramPart(name: $0, license: swift) }
    #if SLUICE_DIST
    // These libraries are linked into the released program; other builds use the system's.
    let gcc = "GPL-3.0-or-later WITH GCC-exception-3.1"
    parts.append(ProgramPart(name: "libstdc++", license: gcc))
    #endif
    return parts
  }

  /// The version number without the date: PCRE2 reports "10.42 2022-12-11".
  private static var regexVersion: String? {
    let capacity = Int(pcre2_config_8(UInt32(PCRE2_CONFIG_VERSION), nil))
    guard capacity > 0 else { return nil }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { buffer in
      pcre2_config_8(UInt32(PCRE2_CONFIG_VERSION), buffer.baseAddress)
      return text(buffer.baseAddress)?.split(separator: " ").first.map(String.init)
    }
  }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
    pointer.map { String(cString: $0) }
  }
}

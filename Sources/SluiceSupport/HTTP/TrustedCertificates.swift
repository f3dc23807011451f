import CLibcurl

import SluiceSystem

/// The locations of the authorities' certificates that TLS connections trust.
///
/// libcurl has a built-in location, which does not exist on every Linux distribution.
package struct TrustedCertificates: Hashable, Sendable {
  /// A file of certificates in PEM; `nil` leaves the choice to libcurl.
  package var file: String?
  /// Folders of certificates, separated by colons, in which OpenSSL finds certificates by hash.
  ///
  /// `nil` leaves the choice to libcurl.
  package var folders: String?

  /// Creates the locations.
  ///
  /// - Parameters:
  ///   - file: A file of certificates in PEM.
  ///   - folders: Folders of certificates, separated by colons.
  package init(file: String? = nil, folders: String? = nil) {
    self.file = file
    self.folders = folders
  }

  /// The certificate bundles of Linux distributions: Debian, Fedora, openSUSE, older Red Hat,
  /// Alpine.
  private static let usualFiles = [
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/ssl/cert.pem",
  ]

  /// Returns the locations that `SSL_CERT_FILE` and `SSL_CERT_DIR` name.
  ///
  /// Without `SSL_CERT_FILE`, the file is the certificate bundle of the Linux distribution, if
  /// libcurl's own file cannot be read.
  ///
  /// - Parameters:
  ///   - environment: The variables of the process.
  ///   - builtIn: The file that libcurl was built to use; `nil` if libcurl finds certificates in
  ///     another way.
  ///   - isReadable: Returns true if a file at a path can be read.
  /// - Returns: The locations. A location is `nil` if libcurl's default applies.
  package static func ofSystem(
    environment: [String: String],
    builtIn: String? = Self.builtIn,
    isReadable: (String) -> Bool = { access($0, R_OK) == 0 }
  ) -> TrustedCertificates {
    func named(_ variable: String) -> String? {
      environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    }
    var trusted = TrustedCertificates(
      file: named("SSL_CERT_FILE"),
      folders: named("SSL_CERT_DIR")
    )
    if trusted.file == nil, let builtIn, !isReadable(builtIn) {
      trusted.file = usualFiles.first(where: isReadable)
    }
    return trusted
  }

  /// The file that this libcurl was built to use.
  package static var builtIn: String? {
    guard let file = sluice_curl_version()?.pointee.cainfo else { return nil }
    return String(cString: file)
  }
}

import Foundation
import Testing

@testable import SluiceSupport
import TestSupport

@Suite("Trusted certificates", .timeLimit(.minutes(2)))
struct TrustedCertificatesTests {
  private static let debian = "/etc/ssl/certs/ca-certificates.crt"
  private static let fedora = "/etc/pki/tls/certs/ca-bundle.crt"
  private static let alpine = "/etc/ssl/cert.pem"

  @Test(
    "libcurl's own file is used if it exists, or else the distribution's",
    arguments: [
      ([debian, alpine], nil), ([fedora], fedora), ([alpine], alpine), ([fedora, alpine], fedora),
      ([], nil),
    ] as [([String], String?)]
  )
  func distributions(files: [String], chosen: String?) {
    let trusted = TrustedCertificates.ofSystem(environment: [:], builtIn: Self.debian) {
      files.contains($0)
    }
    #expect(trusted == TrustedCertificates(file: chosen))
  }

  @Test("A libcurl without its own file keeps its default, such as the keychain")
  func ownWay() {
    let trusted = TrustedCertificates.ofSystem(environment: [:], builtIn: nil) { _ in true }
    #expect(trusted == TrustedCertificates())
  }

  @Test("SSL_CERT_FILE and SSL_CERT_DIR come first, even if no such file exists, unless empty")
  func variables() {
    func trusted(_ environment: [String: String]) -> TrustedCertificates {
      .ofSystem(environment: environment, builtIn: Self.debian) { $0 == Self.fedora }
    }
    #expect(
      trusted(["SSL_CERT_FILE": "/ca.pem", "SSL_CERT_DIR": "/one:/two"])
        == TrustedCertificates(file: "/ca.pem", folders: "/one:/two")
    )
    #expect(
      trusted(["SSL_CERT_DIR": "/one"])
        == TrustedCertificates(file: Self.fedora, folders: "/one")
    )
    #expect(
      trusted(["SSL_CERT_FILE": "", "SSL_CERT_DIR": ""]) == TrustedCertificates(file: Self.fedora)
    )
  }

  @Test("A missing certificate file is a TLS error with a fix")
  func missingFile() async throws {
    let server = try LoopbackServer { _ in .silence }
    let client = CurlHTTPClient(trusting: TrustedCertificates(file: "/nowhere/ca.pem"))
    let request = HTTPRequest(url: server.origin.replacing("http:", with: "https:"))
    await #expect(throws: HTTPError.self) {
      do throws(HTTPError) {
        _ = try await client.send(request)
      } catch {
        #expect(error.kind == .tls)
        #expect(error.detail.contains("/nowhere/ca.pem"))
        #expect(
          error.detail.hasSuffix(
            "; install the system's certificates, or name a file in SSL_CERT_FILE"
          )
        )
        throw error
      }
    }
  }

  @Test(
    "A private authority is trusted only if its file is configured",
    .enabled(if: Self.openssl != nil, "needs the program openssl")
  )
  func privateAuthority() async throws {
    let folder = try ProjectFolder()
    let openssl = try #require(Self.openssl)
    func run(_ arguments: String...) throws {
      let outcome = try ChildProcess(
        [openssl] + arguments,
        in: folder.url("").path,
        environment: [:]
      ).wait()
      try #require(outcome.exitCode == 0, "\(outcome.error)")
    }
    try run(
      "req",
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:P-256",
      "-nodes",
      "-days",
      "2",
      "-subj",
      "/CN=localhost",
      "-addext",
      "subjectAltName=DNS:localhost,IP:127.0.0.1",
      "-keyout",
      "key.pem",
      "-out",
      "authority.pem"
    )
    let server = try ChildProcess(
      [
        openssl, "s_server", "-accept", "127.0.0.1:0", "-www", "-key", "key.pem",
        "-cert", "authority.pem",
      ],
      in: folder.url("").path,
      environment: [:]
    )
    defer { server.kill() }
    try await wait("the server's port") { try server.outputSoFar.contains(/ACCEPT .*\n/) }
    // The line is "ACCEPT 127.0.0.1:40001".
    let line = try #require(
      try server.outputSoFar.split(separator: "\n").first { $0.hasPrefix("ACCEPT ") }
    )
    let request = HTTPRequest(method: "GET", url: "https://\(line.dropFirst(7))/")

    func kind(_ trusted: TrustedCertificates) async -> HTTPError.Kind? {
      do throws(HTTPError) {
        _ = try await CurlHTTPClient(trusting: trusted).send(request)
        return nil
      } catch {
        return error.kind
      }
    }
    let authority = TrustedCertificates(file: folder.url("authority.pem").path)
    #expect(await kind(authority) == nil)
    #expect(await kind(TrustedCertificates()) == .tls)
  }

  private static var openssl: String? {
    ["/usr/bin/openssl", "/opt/homebrew/bin/openssl"]
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}

#if canImport(CryptoKit)
import CryptoKit
#else
import COpenSSL
#endif

/// A SHA-256 digest (FIPS 180-4) in the making, over the system's cryptography.
package struct SHA256: ~Copyable {
  private let context = Context()

  package init() {}

  /// Adds bytes to what is digested.
  package mutating func update(_ bytes: some Sequence<UInt8>) {
    context.update(bytes)
  }

  /// Returns the digest of all that was added as 64 lower-case hexadecimal digits.
  package consuming func hexadecimal() -> String {
    context.hexadecimal()
  }

  /// Returns the digest of bytes as 64 lower-case hexadecimal digits.
  package static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    threadContext.withObject { context in
      context.update(bytes)
      return context.hexadecimal()
    }
  }

  // Making a context costs as much as half the digest of a short text.
  private static let threadContext = PerThread { Context() }
}

// MARK: - The system's digest

extension SHA256 {
  /// The state of a digest; ready for the next one once it gave its result.
  private final class Context {
    #if canImport(CryptoKit)
    private var digest = CryptoKit.SHA256()

    func update(_ bytes: UnsafeRawBufferPointer) {
      digest.update(bufferPointer: bytes)
    }

    func hexadecimal() -> String {
      defer { digest = CryptoKit.SHA256() }
      return digest.finalize().withUnsafeBytes { SHA256.hexadecimal(digest: $0) }
    }
    #else
    // Safe to share: made once and never changed; only its reference count is, atomically. Fetched
    // because a look-up by name on each use doubles the cost of a short digest.
    private nonisolated(unsafe) static let algorithm = EVP_MD_fetch(nil, "SHA256", nil)

    private let digest = EVP_MD_CTX_new()

    init() {
      restart()
    }

    deinit {
      EVP_MD_CTX_free(digest)
    }

    func update(_ bytes: UnsafeRawBufferPointer) {
      check(EVP_DigestUpdate(digest, bytes.baseAddress, bytes.count))
    }

    func hexadecimal() -> String {
      let text = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { bytes in
        check(EVP_DigestFinal_ex(digest, bytes.baseAddress, nil))
        return SHA256.hexadecimal(digest: UnsafeRawBufferPointer(bytes))
      }
      restart()
      return text
    }

    private func restart() {
      check(EVP_DigestInit_ex2(digest, Self.algorithm, nil))
    }

    private func check(_ code: CInt) {
      // Nothing to go on with: memory is out, or the system's libcrypto has no SHA-256.
      precondition(code == 1, "libcrypto cannot compute a SHA-256 digest")
    }
    #endif

    func update(_ bytes: some Sequence<UInt8>) {
      let done: Void? = bytes.withContiguousStorageIfAvailable {
        update(UnsafeRawBufferPointer($0))
      }
      if done == nil { Array(bytes).withUnsafeBytes { update($0) } }
    }
  }

  private static func hexadecimal(digest: UnsafeRawBufferPointer) -> String {
    String(unsafeUninitializedCapacity: 2 * digest.count) { digits in
      for (index, byte) in digest.enumerated() {
        digits[2 * index] = digit(byte >> 4)
        digits[2 * index + 1] = digit(byte & 0xF)
      }
      return 2 * digest.count
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}

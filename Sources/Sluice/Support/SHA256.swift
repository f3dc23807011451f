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
    context.digest().hexadecimal
  }

  /// Returns the digest of bytes as 64 lower-case hexadecimal digits.
  package static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    digest(bytes).hexadecimal
  }

  /// Returns the digest of bytes.
  package static func digest(_ bytes: some Sequence<UInt8>) -> Digest {
    threadContext.withObject { context in
      context.update(bytes)
      return context.digest()
    }
  }

  /// Returns the digest of bytes with one more after them.
  package static func digest(_ bytes: UnsafeRawBufferPointer, closedBy last: UInt8) -> Digest {
    threadContext.withObject { context in
      context.update(bytes)
      context.update(CollectionOfOne(last))
      return context.digest()
    }
  }

  // Making a context costs as much as half the digest of a short text.
  private static let threadContext = PerThread { Context() }
}

extension SHA256 {
  /// The beginning that many texts have in common, digested once.
  package struct Beginning: Sendable {
    private let context: Context

    package init(_ bytes: some Sequence<UInt8>) {
      context = Context()
      context.update(bytes)
    }

    /// Returns the digest of the beginning with more bytes after it.
    package func digest(followedBy bytes: some Sequence<UInt8>) -> Digest {
      threadContext.withObject { other in
        other.copy(context)
        other.update(bytes)
        return other.digest()
      }
    }
  }
}

// MARK: - The system's digest

extension SHA256 {
  /// The state of a digest; ready for the next one once it gave its result.
  // Safe to share as a beginning, which is only read: copying does not change what is copied.
  private final class Context: @unchecked Sendable {
    #if canImport(CryptoKit)
    private var state = CryptoKit.SHA256()

    func update(_ bytes: UnsafeRawBufferPointer) {
      state.update(bufferPointer: bytes)
    }

    func copy(_ other: Context) { state = other.state }

    func digest() -> Digest {
      defer { state = CryptoKit.SHA256() }
      return state.finalize().withUnsafeBytes { Digest(bytes: $0) }
    }
    #else
    // Safe to share: made once and never changed; only its reference count is, atomically. Fetched
    // because a look-up by name on each use doubles the cost of a short digest.
    private nonisolated(unsafe) static let algorithm = EVP_MD_fetch(nil, "SHA256", nil)

    private let state = EVP_MD_CTX_new()

    init() {
      restart()
    }

    deinit {
      EVP_MD_CTX_free(state)
    }

    func update(_ bytes: UnsafeRawBufferPointer) {
      check(EVP_DigestUpdate(state, bytes.baseAddress, bytes.count))
    }

    func copy(_ other: Context) {
      check(EVP_MD_CTX_copy_ex(state, other.state))
    }

    func digest() -> Digest {
      let digest = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { bytes in
        check(EVP_DigestFinal_ex(state, bytes.baseAddress, nil))
        return Digest(bytes: UnsafeRawBufferPointer(bytes))
      }
      restart()
      return digest
    }

    private func restart() {
      check(EVP_DigestInit_ex2(state, Self.algorithm, nil))
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
}

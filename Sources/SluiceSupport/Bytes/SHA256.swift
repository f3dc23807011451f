#if canImport(CryptoKit)
import CryptoKit
#else
import COpenSSL
#endif

/// A SHA-256 digest (FIPS 180-4) in the making, over the system's cryptography.
@usableFromInline
package struct SHA256: ~Copyable {
  private var state = State()

  package init() {}

  /// Adds bytes to what is digested.
  @inlinable
  package mutating func update(_ bytes: some Sequence<UInt8>) {
    bytes.withUnits { update(UnsafeRawBufferPointer($0)) }
  }

  /// Adds bytes to what is digested.
  @usableFromInline
  package mutating func update(_ bytes: UnsafeRawBufferPointer) { state.update(bytes) }

  /// Returns the digest of all that was added as 64 lower-case hexadecimal digits.
  package consuming func hexadecimal() -> String { state.digest().hexadecimal }

  /// Returns the digest of bytes as 64 lower-case hexadecimal digits.
  @inlinable
  package static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    digest(bytes).hexadecimal
  }

  /// Returns the digest of bytes.
  @inlinable
  package static func digest(_ bytes: some Sequence<UInt8>) -> Digest {
    bytes.withUnits { digest(UnsafeRawBufferPointer($0)) }
  }

  /// Returns the digest of bytes.
  @usableFromInline
  package static func digest(_ bytes: UnsafeRawBufferPointer) -> Digest {
    var state = State()
    state.update(bytes)
    return state.digest()
  }

  /// Returns the digest of bytes with one more after them.
  package static func digest(_ bytes: UnsafeRawBufferPointer, closedBy last: UInt8) -> Digest {
    var state = State()
    state.update(bytes)
    withUnsafeBytes(of: last) { state.update($0) }
    return state.digest()
  }
}

extension SHA256 {
  /// The beginning that many texts have in common, digested once.
  @usableFromInline
  package struct Beginning: Sendable {
    private let state: State

    @inlinable
    package init(_ bytes: some Sequence<UInt8>) {
      self = bytes.withUnits { Beginning(bytes: UnsafeRawBufferPointer($0)) }
    }

    @usableFromInline
    package init(bytes: UnsafeRawBufferPointer) {
      var state = State()
      state.update(bytes)
      self.state = state
    }

    /// Returns the digest of the beginning with more bytes after it.
    @inlinable
    package func digest(followedBy bytes: some Sequence<UInt8>) -> Digest {
      bytes.withUnits { digest(followedBy: UnsafeRawBufferPointer($0)) }
    }

    /// Returns the digest of the beginning with more bytes after it.
    @usableFromInline
    package func digest(followedBy bytes: UnsafeRawBufferPointer) -> Digest {
      var state = state
      state.update(bytes)
      return state.digest()
    }
  }
}

// MARK: - The system's digest

extension SHA256 {
  /// The state of a digest: a value, so that a copy goes its own way.
  private struct State: Sendable {
    #if canImport(CryptoKit)
    private var state = CryptoKit.SHA256()

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
      state.update(bufferPointer: bytes)
    }

    /// The digest of all that was added; to be asked for once.
    mutating func digest() -> Digest {
      state.finalize().withUnsafeBytes { Digest(bytes: $0) }
    }
    #else
    private var state = SHA256_CTX()

    init() {
      check(SHA256_Init(&state))
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
      check(SHA256_Update(&state, bytes.baseAddress, bytes.count))
    }

    /// The digest of all that was added; to be asked for once.
    mutating func digest() -> Digest {
      withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { bytes in
        check(SHA256_Final(bytes.baseAddress, &state))
        return Digest(bytes: UnsafeRawBufferPointer(bytes))
      }
    }

    private func check(_ code: CInt) {
      precondition(code == 1, "libcrypto cannot compute a SHA-256 digest")
    }
    #endif
  }
}

#if canImport(CryptoKit)
import CryptoKit
#else
import COpenSSL
#endif

/// An incremental SHA-256 digest (FIPS 180-4), using the system's cryptography.
@usableFromInline
package struct SHA256: ~Copyable {
  private var state = State()

  package init() {}

  /// Adds bytes to the digest.
  @inlinable
  package mutating func update(_ bytes: some Sequence<UInt8>) {
    bytes.withUnits { update(UnsafeRawBufferPointer($0)) }
  }

  /// Adds bytes to the digest.
  @usableFromInline
  package mutating func update(_ bytes: UnsafeRawBufferPointer) { state.update(bytes) }

  /// Returns the digest of all added bytes as 64 lower-case hexadecimal digits.
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

  /// Returns the digest of bytes followed by one more byte.
  package static func digest(_ bytes: UnsafeRawBufferPointer, closedBy last: UInt8) -> Digest {
    var state = State()
    state.update(bytes)
    withUnsafeBytes(of: last) { state.update($0) }
    return state.digest()
  }
}

extension SHA256 {
  /// A prefix that many texts share, and that is digested only once.
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

    /// Returns the digest of the prefix followed by more bytes.
    @inlinable
    package func digest(followedBy bytes: some Sequence<UInt8>) -> Digest {
      bytes.withUnits { digest(followedBy: UnsafeRawBufferPointer($0)) }
    }

    /// Returns the digest of the prefix followed by more bytes.
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
  /// The state of a digest; a copy of this value continues independently.
  private struct State: Sendable {
    #if canImport(CryptoKit)
    private var state = CryptoKit.SHA256()

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
      state.update(bufferPointer: bytes)
    }

    /// Returns the digest of all added bytes; call this method only once.
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

    /// Returns the digest of all added bytes; call this method only once.
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

public import SluiceSystem

/// A value protected by a lock, for a few fields that several threads share.
///
/// The lock is a pthread mutex. On Linux, the thread sanitizer does not see the futex of
/// `Synchronization.Mutex`, and reports races that do not exist.
@usableFromInline
package final class Locked<Value>: @unchecked Sendable {
  // Safe to share: `value` is accessed only while `mutex` is held, and the mutex never moves.
  @usableFromInline
  let mutex: UnsafeMutablePointer<pthread_mutex_t>
  @usableFromInline
  var value: Value

  @inlinable
  package init(_ value: Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  @inlinable
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}

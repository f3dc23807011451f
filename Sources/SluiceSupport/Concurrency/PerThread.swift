public import SluiceSystem

/// An object that every thread makes once for itself and keeps until it ends.
///
/// For scratch memory of C libraries that may not be shared and costs too much to make for each
/// call. A pool behind a lock would do too, but two threads that take from it for some 100 ns of
/// work each spend more time on the lock than on the work.
@usableFromInline
package final class PerThread<Object: AnyObject>: Sendable {
  @usableFromInline
  let key: pthread_key_t
  @usableFromInline
  let make: @Sendable () -> Object

  package init(_ make: @escaping @Sendable () -> Object) {
    self.make = make
    var key = pthread_key_t()
    let code = pthread_key_create(&key) { object in
      // Optional on Linux only.
      let object: UnsafeMutableRawPointer? = object
      if let object { Unmanaged<AnyObject>.fromOpaque(object).release() }
    }
    precondition(code == 0, "no thread-specific key is left")
    self.key = key
  }

  deinit {
    pthread_key_delete(key)
  }

  /// Calls a closure with the object of this thread.
  ///
  /// The closure must not come back here for the same object.
  @inlinable
  package func withObject<Result>(_ body: (Object) -> Result) -> Result {
    if let pointer = pthread_getspecific(key) {
      return body(Unmanaged<Object>.fromOpaque(pointer).takeUnretainedValue())
    }
    let object = make()
    pthread_setspecific(key, Unmanaged.passRetained(object).toOpaque())
    return body(object)
  }
}

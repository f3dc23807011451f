public import SluiceSystem

/// An object that each thread creates once and keeps until the thread ends.
///
/// Use it for a C library's scratch memory, if threads must not share that memory and creating it
/// for each call is too expensive. A pool behind a lock would also work. But for tasks of about 100
/// ns, two threads would spend more time on the lock than on their tasks.
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
      // The argument is optional only on Linux.
      let object: UnsafeMutableRawPointer? = object
      if let object { Unmanaged<AnyObject>.fromOpaque(object).release() }
    }
    precondition(code == 0, "no thread-specific key is left")
    self.key = key
  }

  deinit {
    pthread_key_delete(key)
  }

  /// Calls a closure with this thread's object.
  ///
  /// The closure must not call this method for the same object.
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

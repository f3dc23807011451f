/// A value stored by reference and copied on write.
///
/// Use it for large values that are passed on more often than they are read.
@propertyWrapper
@usableFromInline
package struct Boxed<Value> {
  @usableFromInline
  final class Box {
    @usableFromInline
    var value: Value

    @inlinable
    init(_ value: Value) { self.value = value }
  }

  @usableFromInline
  var box: Box

  @inlinable
  package init(wrappedValue: Value) { box = Box(wrappedValue) }

  @inlinable
  package var wrappedValue: Value {
    get { box.value }
    set {
      if isKnownUniquelyReferenced(&box) { box.value = newValue } else { box = Box(newValue) }
    }
    _modify {
      if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
      yield &box.value
    }
  }
}

// Safe to share: a box with several owners is never mutated.
extension Boxed: @unchecked Sendable where Value: Sendable {}

extension Boxed: Equatable where Value: Equatable {
  @inlinable
  package static func == (one: Boxed, other: Boxed) -> Bool {
    one.wrappedValue == other.wrappedValue
  }
}

extension Boxed: Hashable where Value: Hashable {
  @inlinable
  package func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

import Testing

@testable import SluiceCore

@Suite("Slot index")
struct SlotIndexTests {
  @Test("Each slot is found among the positions of its key", arguments: [1, 2, 3, 100, 1_000])
  func found(count: Int) {
    var generator = SystemRandomNumberGenerator()
    for mask in [UInt64.max, 0xFF, 0, 0xFFFF_0000_0000_0000] {
      let keys = (0..<count).map { _ in UInt64.random(in: 0...UInt64.max, using: &generator) & mask
      }
      .sorted()
      let index = SlotIndex(count: count) { keys[$0] }
      for (place, key) in keys.enumerated() { #expect(index.places(key).contains(place)) }
      for key in [0, 1, UInt64.max, UInt64.max / 3] {
        let places = index.places(key)
        #expect(places.lowerBound >= 0 && places.upperBound <= count)
        #expect(keys.indices.allSatisfy { keys[$0] != key || places.contains($0) })
      }
    }
  }

  @Test("An empty index has no positions")
  func empty() {
    for index in [SlotIndex(), SlotIndex(count: 0) { _ in 0 }] {
      for key in [0, UInt64.max] { #expect(index.places(key).isEmpty) }
    }
  }
}

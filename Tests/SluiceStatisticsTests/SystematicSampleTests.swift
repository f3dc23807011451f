import SluiceStatistics
import Testing

@Suite("Systematic samples")
struct SystematicSampleTests {
  @Test("A sample at least as large as the list is the whole list", arguments: [3, 4, 100])
  func all(size: Int) {
    #expect(SystematicSample.places(of: ["b", "a", "b"], size: size, seed: 1) == [0, 1, 2])
  }

  @Test("A sample of size 0 or from an empty list is empty")
  func none() {
    #expect(SystematicSample.places(of: ["a", "b"], size: 0, seed: 1) == [])
    #expect(SystematicSample.places(of: [String](), size: 5, seed: 1) == [])
  }

  @Test("The same seed draws the same sample, and another seed a different one")
  func seeds() {
    let strata = Array(repeating: 0, count: 1_000)
    let first = SystematicSample.places(of: strata, size: 50, seed: 1)
    #expect(SystematicSample.places(of: strata, size: 50, seed: 1) == first)
    #expect(SystematicSample.places(of: strata, size: 50, seed: 2) != first)
  }

  @Test("For every size, positions are ascending and unique", arguments: 1...60)
  func places(size: Int) {
    let strata = (0..<61).map { $0 % 4 }
    let places = SystematicSample.places(of: strata, size: size, seed: UInt64(size))
    #expect(places.count == min(size, 61))
    #expect(places == Set(places).sorted())
    #expect(places.allSatisfy(strata.indices.contains))
  }

  @Test("Each stratum gets its share, rounded up or down", arguments: 1...20 as ClosedRange<UInt64>)
  func shares(seed: UInt64) {
    // 100, 60, 30 and 10 of 200.
    let strata = (0..<200).map { $0 < 100 ? "a" : $0 < 160 ? "b" : $0 < 190 ? "c" : "d" }
    let places = SystematicSample.places(of: strata, size: 25, seed: seed)
    for (stratum, share) in [("a", 12.5), ("b", 7.5), ("c", 3.75), ("d", 1.25)] {
      let count = Double(places.count { strata[$0] == stratum })
      #expect(abs(count - share) < 1, "\(stratum): \(count)")
    }
  }

  @Test("Each element has the same probability")
  func chances() {
    let strata = (0..<30).map { $0 % 3 == 0 ? 0 : 1 }
    var counts = Array(repeating: 0, count: 30)
    for seed in 0..<6_000 {
      for place in SystematicSample.places(of: strata, size: 7, seed: UInt64(seed)) {
        counts[place] += 1
      }
    }
    // 1,400 are expected, with a standard deviation of 33.
    #expect(counts.allSatisfy { abs($0 - 1_400) < 150 }, "\(counts)")
  }
}

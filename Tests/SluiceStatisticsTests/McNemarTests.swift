@testable import SluiceStatistics
import Testing
import TestSupport

@Suite("McNemar's test")
struct McNemarTests {
  @Test(
    "The p values match published and derived values (Fagerland, Lydersen & Laake 2013)",
    arguments: [(9, 2, 0.06543, 0.03857), (7, 1, 0.0703, 0.0391), (11, 3, 0.0574, 0.0352)]
  )
  func published(_ b: Int, _ c: Int, _ exact: Double, _ midP: Double) {
    #expect(isClose(McNemar.exact(b, c), exact, 5e-5))
    #expect(isClose(McNemar.midP(b, c), midP, 5e-5))
    #expect(McNemar.exact(b, c) == McNemar.exact(c, b))
    #expect(McNemar.midP(b, c) == McNemar.midP(c, b))
  }

  @Test("The one-sided test counts harmful flips")
  func oneSided() {
    #expect(isClose(McNemar.oneSided(worse: 9, better: 2), 0.03271, 5e-6))
    #expect(isClose(McNemar.oneSidedMidP(worse: 9, better: 2), 0.01929, 5e-6))
    #expect(McNemar.oneSided(worse: 2, better: 9) > 0.99)
  }

  @Test("Two-sided p values are twice the smaller one-sided ones, and at most 1")
  func doubled() {
    for b in 0...12 {
      for c in 0...12 {
        let (one, other) = (
          McNemar.oneSided(worse: b, better: c), McNemar.oneSided(worse: c, better: b)
        )
        #expect(isClose(McNemar.exact(b, c), min(1, 2 * min(one, other)), 1e-14))
        let mids = (
          McNemar.oneSidedMidP(worse: b, better: c), McNemar.oneSidedMidP(worse: c, better: b)
        )
        #expect(isClose(McNemar.midP(b, c), 2 * min(mids.0, mids.1), 1e-14))
        #expect(isClose(mids.0 + mids.1, 1, 1e-14))
      }
    }
  }

  @Test("Equal numbers of flips in both directions, or none, are not significant")
  func even() {
    for count in [0, 1, 30, 500_000] {
      #expect(McNemar.exact(count, count) == 1)
      #expect(McNemar.midP(count, count) == 1)
    }
    #expect(McNemar.oneSided(worse: 0, better: 0) == 1)
    #expect(McNemar.oneSidedMidP(worse: 0, better: 0) == 0.5)
  }

  @Test("The minimum number of one-directional flips for 5% is 6, 5 or 4, depending on the test")
  func leastFlips() {
    func least(_ p: (Int) -> Double) -> Int? { (1...20).first { p($0) <= 0.05 } }
    #expect(least { McNemar.exact($0, 0) } == 6)
    #expect(least { McNemar.midP($0, 0) } == 5)
    #expect(least { McNemar.oneSidedMidP(worse: $0, better: 0) } == 4)
  }
}

@Suite("Multiple testing")
struct MultipleTestingTests {
  @Test("Adjusted p values of Holm and Benjamini-Hochberg match a manual calculation")
  func adjusted() {
    let p = [0.25, 0.011, 0.004, 0.030, 0.020]
    let holm = MultipleTesting.holm(p)
    for (found, expected) in zip(holm, [0.25, 0.044, 0.020, 0.060, 0.060]) {
      #expect(isClose(found, expected))
    }
    let hochberg = MultipleTesting.benjaminiHochberg(p)
    for (found, expected) in zip(hochberg, [0.25, 0.0275, 0.020, 0.0375, 0.1 / 3]) {
      #expect(isClose(found, expected))
    }
  }

  @Test("Adjusted p values do not exceed 1, and an empty list is allowed")
  func bounds() {
    #expect(MultipleTesting.holm([0.9, 0.8, 0.7]) == [1, 1, 1])
    #expect(MultipleTesting.benjaminiHochberg([1, 1]) == [1, 1])
    #expect(MultipleTesting.holm([]) == [])
    #expect(MultipleTesting.benjaminiHochberg([]) == [])
    #expect(MultipleTesting.holm([0.03]) == [0.03])
  }

  @Test(
    "Holm's method limits false alarms over several metrics to 5%; without it there are more",
    arguments: [(3, 0.14), (5, 0.23), (10, 0.40), (20, 0.64)]
  )
  func familywise(_ metrics: Int, _ uncorrected: Double) {
    var generator = SeededGenerator(seed: 5)
    var (plain, corrected) = (0, 0)
    let rounds = 4_000
    for _ in 0..<rounds {
      let p = (0..<metrics).map { _ in generator.uniform() }
      if p.contains(where: { $0 <= 0.05 }) { plain += 1 }
      if MultipleTesting.holm(p).contains(where: { $0 <= 0.05 }) { corrected += 1 }
    }
    #expect(isClose(Double(plain) / Double(rounds), uncorrected, 0.025))
    #expect(isClose(Double(corrected) / Double(rounds), 0.05, 0.012))
  }
}

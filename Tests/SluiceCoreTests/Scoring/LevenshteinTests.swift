@testable import SluiceCore
@testable import SluiceStatistics
import Testing

@Suite("Levenshtein distance")
struct LevenshteinTests {
  @Test(
    "The distance counts inserted, deleted and replaced scalars, without normalization",
    arguments: [
      ("", "", 0), ("", "abc", 3), ("kitten", "sitting", 3), ("e\u{301}", "\u{e9}", 2),
      ("👩‍👩‍👧", "👩", 4), ("ab", "ba", 2), ("abcdef", "bcdefg", 2),
    ]
  )
  func distance(_ first: String, _ second: String, _ distance: Int) throws {
    #expect(try Levenshtein.distance(first, second) == distance)
    #expect(try Levenshtein.distance(second, first) == distance)
  }

  @Test("Two empty texts are identical")
  func empty() throws {
    #expect(try Levenshtein.similarity("", "") == 1)
    #expect(try IndelRatio.of("", "") == 1)
    #expect(try Levenshtein.similarity("", "a") == 0)
    #expect(try IndelRatio.of("", "a") == 0)
  }

  /// Returns the results of the table of Wagner & Fischer (1974), with a cell for each pair of
  /// symbols.
  private func tables(_ first: [UInt32], _ second: [UInt32]) -> (distance: Int, common: Int) {
    var distances = Array(0...second.count)
    var commons = [Int](repeating: 0, count: second.count + 1)
    for (row, one) in first.enumerated() {
      let (above, commonsAbove) = (distances, commons)
      distances[0] = row + 1
      for (column, other) in second.enumerated() {
        distances[column + 1] = min(
          above[column] + (one == other ? 0 : 1),
          above[column + 1] + 1,
          distances[column] + 1
        )
        commons[column + 1] =
          one == other
          ? commonsAbove[column] + 1 : max(commonsAbove[column + 1], commons[column])
      }
    }
    return (distances[second.count], commons[second.count])
  }

  @Test("The bit-parallel algorithm matches the complete table, also across 64-bit word borders")
  func bits() throws {
    var random = SeededGenerator(seed: 7)
    for round in 0..<150 {
      let alphabet = UInt32([1, 2, 4, 26][round % 4])
      func symbols() -> [UInt32] {
        (0..<Int.random(in: 0...140, using: &random)).map { _ in
          UInt32.random(in: 0..<alphabet, using: &random)
        }
      }
      let (first, second) = (symbols(), symbols())
      let pair = try SymbolPair(first, second, counting: .characters)
      let expected = tables(first, second)
      #expect(pair.editDistance == expected.distance, "round \(round)")
      #expect(pair.commonSubsequence == expected.common, "round \(round)")
    }
  }

  @Test("A comparison that takes too much work is refused")
  func bound() {
    let long = String(repeating: "ab", count: 500_000)
    let other = String(repeating: "cd", count: 500_000)
    let expected = TextTooLong(first: 1_000_000, second: 1_000_000, unit: .characters)
    #expect(throws: expected) { try Levenshtein.distance(long, other) }
    #expect(throws: expected) { try IndelRatio.of(long, other) }
    #expect(
      expected.description == "too long to compare: 1,000,000 by 1,000,000 characters"
    )
    let words = "\(TextTooLong(first: 60_000, second: 50_000, unit: .words))"
    #expect(words == "too long to compare: 60,000 by 50,000 words")
  }

  @Test("The common start and end of long texts take no work")
  func alikeAtTheEnds() throws {
    let start = String(repeating: "a", count: 300_000)
    let end = String(repeating: "b", count: 300_000)
    #expect(try Levenshtein.distance(start + "x" + end, start + "yz" + end) == 2)
    #expect(try Levenshtein.distance(start, start) == 0)
    #expect(try Levenshtein.distance(start, start + end) == 300_000)
  }

  @Test("A text's similarity to itself is 1, and similarity is symmetric")
  func symmetry() throws {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<100 {
      let (one, other) = (String.anyText(&random), String.anyText(&random))
      #expect(try Levenshtein.similarity(one, one) == 1)
      let similarity = try Levenshtein.similarity(one, other)
      #expect((0...1).contains(similarity))
      #expect(try Levenshtein.similarity(other, one) == similarity)
      #expect((0...1).contains(try IndelRatio.of(one, other)))
    }
  }
}

extension String {
  /// Returns a text of all kinds of scalars: letters, marks, emoji, control characters, white
  /// space.
  static func anyText(_ random: inout SeededGenerator, upTo length: Int = 40) -> String {
    let pools: [ClosedRange<UInt32>] = [
      0x20...0x7E, 0x61...0x66, 0x00...0x1F, 0xC0...0x24F, 0x300...0x36F, 0x400...0x45F,
      0x4E00...0x4E20, 0x1F300...0x1F64F, 0x2000...0x206F, 0x3000...0x30FF, 0x0...0x10FFFF,
    ]
    var scalars = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...length, using: &random) {
      let pool = pools[Int.random(in: 0..<pools.count, using: &random)]
      if let scalar = Unicode.Scalar(UInt32.random(in: pool, using: &random)) {
        scalars.append(scalar)
      }
    }
    return String(scalars)
  }
}

import Foundation

/// A multinomial naive Bayes classifier of texts, with Laplace smoothing.
///
/// The classifier replaces a model: it is simple and fast, and gives the same answers on every
/// machine.
struct NaiveBayes {
  private var labels: [String] = []
  private var places: [String: Int] = [:]
  private var words: [String: [Int: Double]] = [:]
  private var textCounts: [Double] = []
  private var wordCounts: [Double] = []

  mutating func learn(_ text: String, as label: String) {
    let place = places[label] ?? labels.count
    if place == labels.count {
      places[label] = place
      labels.append(label)
      textCounts.append(0)
      wordCounts.append(0)
    }
    textCounts[place] += 1
    for word in Self.words(text) {
      words[word, default: [:]][place, default: 0] += 1
      wordCounts[place] += 1
    }
  }

  /// Returns the most probable label with its probability, or `nil` if all words of the text are
  /// unknown.
  func guess(_ text: String) -> (label: String, probability: Double)? {
    let known = Self.words(text).compactMap { words[$0] }
    if known.isEmpty { return nil }
    let all = textCounts.reduce(0, +)
    let scores = labels.indices.map { place in
      known.reduce(log(textCounts[place] / all)) { sum, counts in
        sum + log((counts[place] ?? 0) + 1) - log(wordCounts[place] + Double(words.count))
      }
    }
    // If several labels are equally likely, take the one that was learned first.
    guard let best = scores.indices.max(by: { (scores[$0], $1) < (scores[$1], $0) }) else {
      return nil
    }
    let others = scores.reduce(0) { $0 + exp($1 - scores[best]) }
    return (labels[best], 1 / others)
  }

  private static func words(_ text: String) -> [String] {
    text.lowercased().split { !($0.isLetter || $0.isNumber) }.map(String.init)
  }
}

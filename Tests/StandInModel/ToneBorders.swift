/// The rules for borderline cases of tone, which version 2 of the prompt adds.
enum ToneBorders {
  /// Short phrases that rebuff a person.
  static let rebuffs: PhraseList = [
    "who cares", "too long", "didn't read", "tldr", "don't ask", "not interested", "don't bother",
    "do it yourself", "deal with it", "ask someone else", "try harder", "not good enough",
    "start over", "no chance", "as if", "vergiss es", "y qué", "et alors", "not my job",
  ]
  /// Phrases that rebuff a person if the message says nothing else.
  static let bareRebuffs: PhraseList = [
    "nah", "and", "so", "again", "wrong", "never", "later", "busy", "egal", "nope", "meh",
  ]
  static let nods: PhraseList = ["ok", "okay", "k", "fine", "seen", "noted", "yep", "sure"]

  /// Threats and mockery that are disguised with a smile or a joke.
  static let veiled: PhraseList = [
    "be a pity if", "be a shame if", "a shame if",
    "think carefully before", "must be nice", "rest of us", "don't bother",
    "for once", "try to keep up", "bless your heart", "good for you", "well done you",
    "behind your back",
    "a child could", "even a child", "hasta un niño", "même un enfant", "sogar ein kind", "كم مرة",
    "حتى طفل",
  ]
  /// Private matters in addition to those of ``ToneRules``.
  static let origin: PhraseList = [
    "age", "kid", "kids", "children", "daughter", "son", "birthday", "husband", "wife", "accent",
    "where you come from", "your country", "your people", "background", "body", "adhd",
    "weight", "enfant", "hijos", "edad", "alter", "kinder",
    "salary", "retire", "therapy",
  ]
  static let scorn: PhraseList = [
    "ever since you", "cheap", "typical",
    "no wonder", "at your age", "not surprised", "as usual", "excuse", "excuses",
    "be glad that", "be grateful", "nobody understands", "still pay",
  ]

  /// Returns true if strong words are aimed at the writer, a machine or a task, or if the text
  /// cheers in capitals.
  static func isAimedAtNobody(_ text: Text) -> Bool {
    if cheers.occurs(in: text), text.raw.contains("!") { return true }
    return machines.occurs(in: text) && !addressee.occurs(in: text)
  }

  private static let cheers: PhraseList = [
    "we did it", "congrat*", "hurray", "hooray", "yes", "yay", "we won", "it works", "happy",
    "woohoo", "goal", "🎉", "🥳", "🎂", "🏆",
  ]
  private static let machines: PhraseList = [
    "printer", "script", "server", "build", "compiler", "bug", "bot", "dummy", "process", "router",
    "laptop", "machine", "wifi", "task", "myself", "i'm an", "i'm such", "my brain", "my own",
  ]
  private static let addressee: PhraseList = [
    "you", "you're", "your", "yourself", "he is", "she is", "he's", "she's", "u", "ur",
  ]

  /// Returns true if a message consists only of a link, a number or a time.
  static func isBareAnswer(_ text: Text) -> Bool {
    !text.words.isEmpty && text.wordCount <= 3
      && text.words.allSatisfy { word in
        word.isLink || word.text.contains(where: \.isNumber) || facts.contains(word)
      }
  }

  private static let facts: PhraseList = [
    "at", "on", "by", "am", "pm", "today", "tomorrow", "monday", "tuesday", "wednesday", "thursday",
    "friday", "saturday", "sunday", "left", "right", "blue", "green", "red",
  ]

  /// Returns true if a word is a technical term by its form, or the jargon of a trade.
  static func isTerm(_ word: Word) -> Bool {
    terms.contains(word) || word.text.split(separator: ".").count >= 3 && !word.isLink
      || word.text.hasPrefix("p9")
  }

  private static let terms: PhraseList = [
    "lag", "rebalance", "offset", "skew", "replica*",
    "gutter", "leading", "tracking", "serif", "swatch", "spot", "pantone", "cmyk", "moodboard",
    "affordance", "heuristic*", "okr", "okrs", "kpi", "kpis", "ltv", "cac", "mrr", "arr", "nps",
    "uplift", "attribution", "gross", "accrual*", "amorti*", "hysteresis", "backpressure", "heap",
    "garbage collector", "thread pool", "cron", "ingress", "namespace", "webhook*", "schema",
  ]
}

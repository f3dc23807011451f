/// The verbs of everyday work, by which the stand-in distinguishes tasks from other talk.
enum WorkVerb {
  /// Returns the base form of a work verb, which may end with -s or -ing.
  static func base(of word: String) -> String? {
    if all.contains(word) { return word }
    for stem in [
      dropping("ing", from: word), dropping("s", from: word), dropping("es", from: word),
    ] {
      guard let stem else { continue }
      if all.contains(stem) { return stem }
      if all.contains(stem + "e"), word.hasSuffix("ing") { return stem + "e" }
      if word.hasSuffix("ing"), let last = stem.last, stem.dropLast().last == last,
        all.contains(String(stem.dropLast()))
      {
        return String(stem.dropLast())
      }
    }
    return nil
  }

  /// Returns the base form of a work verb for its past participle: "renew" for "renewed".
  static func base(ofParticiple word: String) -> String? {
    for stem in [dropping("ed", from: word), dropping("d", from: word)] {
      guard let stem else { continue }
      if all.contains(stem) { return stem }
      if let last = stem.last, stem.dropLast().last == last, all.contains(String(stem.dropLast())) {
        return String(stem.dropLast())
      }
    }
    return irregular[word]
  }

  static func isBase(_ word: String) -> Bool { all.contains(word) }

  private static func dropping(_ suffix: String, from word: String) -> String? {
    word.hasSuffix(suffix) && word.count > suffix.count + 1
      ? String(word.dropLast(suffix.count)) : nil
  }

  private static let irregular: [String: String] = [
    "sent": "send", "written": "write", "rewritten": "rewrite", "done": "finish", "cut": "cut",
    "drawn": "draw", "made": "make", "paid": "pay", "read": "read", "split": "split", "set": "set",
  ]

  private static let all: Set<String> = Set(
    """
    add adjust align analyse analyze announce answer apply approve archive arrange ask assign
    attach audit back backport benchmark block book bring build bump buy call cancel cap change
    chase check clarify clean clear close collect comment commit compare compile compress confirm
    convert copy correct create crop cut debug decide define delete deliver deploy describe design
    dig disable discuss document double-check download draft draw drop edit email enable escalate
    estimate evaluate export extend extract file fill finalise finalize find finish fix flag flash
    flip follow format forward gather generate grab give handle hide host implement import include
    increase inform install integrate interview investigate invite invoice join label launch link
    list localise localize lock log look mail make mark measure meet merge migrate mock monitor move notify open order
    organise organize own pair pass patch pay pick pin ping plan port post prepare present print
    prioritise prioritize profile provide publish pull push put quarantine raise read rebase rebuild
    record recruit redo refactor refresh reject release reload remove rename renew reorder repair replace
    reply report reproduce rerun research reschedule reserve reset resize resolve restart restore
    retest return revert review revise revoke rewrite roll rotate run save scan schedule send set
    shadow share ship shorten show sign simplify sketch sort speak split squash start stop submit
    summarise summarize swap switch sync tag take talk tell test tidy tighten track train transcribe
    translate trim try tune turn tweak unblock unify update upgrade upload validate verify warn wire
    work wrap write
    """.split(whereSeparator: \.isWhitespace).map(String.init)
  )
}

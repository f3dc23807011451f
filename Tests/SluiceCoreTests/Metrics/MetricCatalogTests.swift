import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
import Testing

@Suite("Metric catalog")
struct MetricCatalogTests {
  private let catalog = MetricCatalog(
    scorers: ScoringFixture(
      """
      - is-json
      - flags: {path: a}
      - flags: {path: b}
      - mentions: {path: a, expected: issues}
      - items: {path: c, expected: items, match: d}
      - classification: {path: e, expected: category, labels: [fan, spam, long]}
      """
    ).scorers,
    tags: ["long", "draft", "v1.2"]
  )

  /// Returns the metric of a reference, or throws the message and the fix.
  private func metric(_ text: String) throws -> Metric {
    let value =
      text.contains("latency") ? "1 s" : text.contains("cost") ? "$1" : "1"
    return try catalog.metric(ConditionParser.parse("\(text) >= \(value)").reference)
  }

  private func problem(_ reference: MetricReference) -> MetricCatalog.Problem? {
    do throws(MetricCatalog.Problem) {
      _ = try catalog.metric(reference)
      return nil
    } catch {
      return error
    }
  }

  private func problem(_ text: String) throws -> String? {
    let value = text.contains("latency") ? "1 s" : "1"
    return problem(try ConditionParser.parse("\(text) >= \(value)").reference).map {
      "\($0.message)\n\($0.fix ?? "")"
    }
  }

  @Test("The names of metrics omit the scorer if they are unique without it")
  func names() {
    #expect(
      catalog.names == [
        "accuracy", "any-of-k", "all-of-k", "unusable-rate", "fallback-rate", "is-json.pass-rate",
        "flags.false-positive-rate", "flags.recall", "flags.specificity",
        "flags.balanced-accuracy", "flags.precision", "flags.f1",
        "flags.pass-rate",
        "flags-2.false-positive-rate", "flags-2.recall", "flags-2.specificity",
        "flags-2.balanced-accuracy", "flags-2.precision", "flags-2.f1",
        "flags-2.pass-rate",
        "mention-rate", "mentions.pass-rate",
        "items.precision", "items.recall", "items.f1", "field-accuracy", "items.pass-rate",
        "classification.precision", "classification.recall", "classification.f1",
        "micro-f1", "weighted-f1", "classification.balanced-accuracy", "mcc", "kappa",
        "invalid-label-rate", "classification.pass-rate",
      ]
    )
  }

  @Test("Every listed name refers to a metric")
  func listed() throws {
    for name in catalog.names { _ = try metric(name) }
  }

  @Test("Metrics of the suite, of scorers and of series are found by name")
  func found() throws {
    #expect(try metric("accuracy") == Metric(.accuracy))
    #expect(try metric("unusable-rate") == Metric(.unusableRate))
    #expect(try metric("fallback-rate") == Metric(.fallbackRate))
    #expect(try metric("is-json.pass-rate") == Metric(.passRate(scorer: "is-json")))
    #expect(try metric("flags-2.pass-rate") == Metric(.passRate(scorer: "flags-2")))
    #expect(
      try metric("flags-2.recall")
        == Metric(
          .scorer("flags-2", .share(of: .init("hit"), among: [.init("positive")]))
        )
    )
    #expect(
      try metric("mention-rate")
        == Metric(.scorer("mentions", .ratio(of: [.init("met")], to: [.init("expected")])))
    )
    #expect(try metric("p95(latency)") == Metric(.series(.latency, .percentile(95))))
    #expect(try metric("mean(cost)") == Metric(.series(.cost, .mean)))
    #expect(try metric("sum(tokens)[tag=long]") == Metric(.series(.tokens, .sum), tag: "long"))
  }

  @Test("A bare selector is a class if the metric has that class, or else a tag")
  func selectors() throws {
    let recall = Metric.Kind.scorer("classification", .perClass(.recall))
    #expect(try metric("accuracy[long]") == Metric(.accuracy, tag: "long"))
    #expect(try metric("accuracy[v1.2]") == Metric(.accuracy, tag: "v1.2"))
    #expect(try metric("classification.recall[spam]") == Metric(recall, classLabel: "spam"))
    #expect(try metric("classification.recall[long]") == Metric(recall, classLabel: "long"))
    #expect(try metric("classification.recall[draft]") == Metric(recall, tag: "draft"))
    #expect(try metric("classification.recall[tag=long]") == Metric(recall, tag: "long"))
    #expect(try metric("classification.recall[class=long]") == Metric(recall, classLabel: "long"))
  }

  @Test(
    "An unknown or ambiguous name is refused with a fix",
    arguments: [
      ("acuracy", "no scorer of the suite produces the metric 'acuracy'\ndid you mean 'accuracy'?"),
      (
        "mentionrate",
        "no scorer of the suite produces the metric 'mentionrate'\ndid you mean 'mention-rate'?"
      ),
      (
        "mean(latncy)",
        "no scorer of the suite produces the metric 'latncy'\ndid you mean 'latency'?"
      ),
      ("flag.recall", "the suite has no scorer 'flag'\ndid you mean 'flags'?"),
      (
        "judge.recall",
        """
        the suite has no scorer 'judge'
        known: is-json, flags, flags-2, mentions, items, classification
        """
      ),
      (
        "flags.recal",
        "the scorer 'flags' does not produce the metric 'recal'\ndid you mean 'recall'?"
      ),
      (
        "flags.mention-rate",
        """
        the scorer 'flags' does not produce the metric 'mention-rate'
        known: false-positive-rate, recall, specificity, balanced-accuracy, precision, f1, pass-rate
        """
      ),
      ("is-json.f1", "the scorer 'is-json' does not produce the metric 'f1'\nknown: pass-rate"),
      (
        "flags.latency",
        """
        the scorer 'flags' does not produce the metric 'latency'
        known: false-positive-rate, recall, specificity, balanced-accuracy, precision, f1, pass-rate
        """
      ),
      (
        "false-positive-rate",
        """
        the metric 'false-positive-rate' is ambiguous: 2 scorers produce it
        write flags.false-positive-rate or flags-2.false-positive-rate
        """
      ),
      (
        "recall[spam]",
        """
        the metric 'recall' is ambiguous: 4 scorers produce it
        write flags.recall or flags-2.recall or items.recall or classification.recall
        """
      ),
      (
        "pass-rate",
        """
        the metric 'pass-rate' is ambiguous: 6 scorers produce it
        write is-json.pass-rate or flags.pass-rate or flags-2.pass-rate or mentions.pass-rate \
        or items.pass-rate or classification.pass-rate
        """
      ),
      ("mean(accuracy)", "'accuracy' is already a single number\nremove the function around it"),
      ("p95(items.f1)", "'f1' is already a single number\nremove the function around it"),
      (
        "latency",
        """
        'latency' is one measurement per answer, not a single number
        write mean(latency), p95(latency) or max(latency)
        """
      ),
      ("accuracy[tag=lng]", "no case has the tag 'lng'\ndid you mean 'long'?"),
      ("accuracy[nothing]", "no case has the tag 'nothing'\nknown: draft, long, v1.2"),
      ("mean(latency)[spam]", "no case has the tag 'spam'\nknown: draft, long, v1.2"),
      (
        "accuracy[class=spam]",
        "the metric has no classes\nuse precision, recall or f1 of a classification scorer"
      ),
      (
        "mean(latency)[class=spam]",
        "the metric has no classes\nuse precision, recall or f1 of a classification scorer"
      ),
      (
        "invalid-label-rate[class=spam]",
        "the metric has no classes\nuse precision, recall or f1 of a classification scorer"
      ),
      (
        "classification.recall[class=spm]",
        "the scorer has no class 'spm'\ndid you mean 'spam'?"
      ),
      (
        "classification.recall[spm]",
        "'spm' is neither a class of the scorer nor a tag of a case\ndid you mean 'spam'?"
      ),
      (
        "classification.recall[drafts]",
        "'drafts' is neither a class of the scorer nor a tag of a case\ndid you mean 'draft'?"
      ),
    ]
  )
  func refused(_ text: String, _ message: String) throws {
    #expect(try problem(text) == message)
  }

  @Test("Without tags and scorers, the suite's metrics remain, and nothing is suggested")
  func empty() {
    let empty = MetricCatalog(scorers: [], tags: [])
    #expect(empty.names == ["accuracy", "any-of-k", "all-of-k", "unusable-rate", "fallback-rate"])
    #expect(
      throws: MetricCatalog.Problem(message: "no case has the tag 'long'", fix: nil)
    ) {
      try empty.metric(MetricReference(name: "accuracy", selector: .tag("long")))
    }
    #expect(
      throws: MetricCatalog.Problem(
        message: "the suite has no scorer 'flags'",
        fix: nil,
        isUnknownName: true
      )
    ) {
      try empty.metric(MetricReference(scorer: "flags", name: "recall"))
    }
  }
}

extension Mistake {
  /// Mistakes in conditions.
  static let conditions: [Mistake] = [
    Mistake(
      "fpr",
      [.replace(.suite, "- false-positive-rate <= 5%", "- fpr <= 5%")],
      #"""
      prompts/tickets/suite.yaml:13:5: error: no scorer of the suite produces the metric 'fpr'
        13 |   - fpr <= 5%
           |     ^
        fix: did you mean 'false-positive-rate'?

      """#,
      .word
    ),
    Mistake(
      "acc",
      [.replace(.suite, "- false-positive-rate <= 5%", "- acc >= 85%")],
      #"""
      prompts/tickets/suite.yaml:13:5: error: no scorer of the suite produces the metric 'acc'
        13 |   - acc >= 85%
           |     ^
        fix: did you mean 'accuracy'?

      """#,
      .word
    ),
    Mistake(
      "false_positive_rate with underscores",
      [.replace(.suite, "- false-positive-rate <= 5%", "- false_positive_rate <= 5%")],
      #"""
      prompts/tickets/suite.yaml:13:5: error: no scorer of the suite produces the metric 'false_positive_rate'
        13 |   - false_positive_rate <= 5%
           |     ^
        fix: did you mean 'false-positive-rate'?

      """#,
      .word
    ),
    Mistake(
      "tpr, which two scorers emit",
      [.replace(.suite, "- false-positive-rate <= 5%", "- tpr >= 5%")],
      #"""
      prompts/tickets/suite.yaml:13:5: error: no scorer of the suite produces the metric 'tpr'
        13 |   - tpr >= 5%
           |     ^
        fix: did you mean 'classification.recall' or 'flags.recall'?

      """#,
      .edit("tpr", "flags.recall")
    ),
    Mistake(
      "A name that means nothing",
      [.replace(.suite, "- false-positive-rate <= 5%", "- quality >= 90%")],
      #"""
      prompts/tickets/suite.yaml:13:5: error: no scorer of the suite produces the metric 'quality'
        13 |   - quality >= 90%
           |     ^
        fix: known: accuracy, unusable-rate, classification.precision,
             classification.recall, classification.f1, invalid-label-rate,
             p95(latency), mean(cost), and 21 more

      """#,
      .edit("quality", "accuracy")
    ),
    Mistake(
      "latency_ms",
      [.replace(.suite, "- false-positive-rate <= 5%", "- latency_ms < 800")],
      #"""
      prompts/tickets/suite.yaml:13:5: error: no scorer of the suite produces the metric 'latency_ms'
        13 |   - latency_ms < 800
           |     ^
        fix: write 'p95(latency) < 800 ms'

      """#,
      .item
    ),
    Mistake(
      "p95",
      [.replace(.suite, "- false-positive-rate <= 5%", "- p95 < 2 s")],
      #"""
      prompts/tickets/suite.yaml:13:5: error: no scorer of the suite produces the metric 'p95'
        13 |   - p95 < 2 s
           |     ^
        fix: write 'p95(latency) < 2 s'

      """#,
      .item
    ),
    Mistake(
      "p95_latency",
      [.replace(.suite, "- false-positive-rate <= 5%", "- p95_latency < 2 s")],
      #"""
      prompts/tickets/suite.yaml:13:5: error: no scorer of the suite produces the metric 'p95_latency'
        13 |   - p95_latency < 2 s
           |     ^
        fix: write 'p95(latency) < 2 s'

      """#,
      .item
    ),
    Mistake(
      "avg",
      [.replace(.suite, "- false-positive-rate <= 5%", "- avg(latency) < 2 s")],
      #"""
      prompts/tickets/suite.yaml:13:5: error: not a condition: unknown function 'avg'
        13 |   - avg(latency) < 2 s
           |     ^
        fix: write 'mean(latency) < 2 s'

      """#,
      .item
    ),
    Mistake(
      "=>",
      [.replace(.suite, "- false-positive-rate <= 5%", "- accuracy => 85%")],
      #"""
      prompts/tickets/suite.yaml:13:13: error: not a condition: expected >=, <=, > or <
        13 |   - accuracy => 85%
           |             ^
        fix: write 'accuracy >= 85%'

      """#,
      .item
    ),
    Mistake(
      "=<",
      [.replace(.suite, "- false-positive-rate <= 5%", "- accuracy =< 85%")],
      #"""
      prompts/tickets/suite.yaml:13:13: error: not a condition: expected >=, <=, > or <
        13 |   - accuracy =< 85%
           |             ^
        fix: write 'accuracy <= 85%'

      """#,
      .item
    ),
    Mistake(
      "==",
      [.replace(.suite, "- false-positive-rate <= 5%", "- accuracy == 85%")],
      #"""
      prompts/tickets/suite.yaml:13:13: error: not a condition: expected >=, <=, > or <
        13 |   - accuracy == 85%
           |             ^
        fix: write 'accuracy >= 85%'

      """#,
      .item
    ),
    Mistake(
      "≥",
      [.replace(.suite, "- false-positive-rate <= 5%", "- accuracy ≥ 85%")],
      #"""
      prompts/tickets/suite.yaml:13:13: error: not a condition: expected >=, <=, > or <
        13 |   - accuracy ≥ 85%
           |             ^
        fix: write 'accuracy >= 85%'

      """#,
      .item
    ),
    Mistake(
      "≤",
      [.replace(.suite, "- false-positive-rate <= 5%", "- false-positive-rate ≤ 5%")],
      #"""
      prompts/tickets/suite.yaml:13:24: error: not a condition: expected >=, <=, > or <
        13 |   - false-positive-rate ≤ 5%
           |                        ^
        fix: write 'false-positive-rate <= 5%'

      """#,
      .item
    ),
    Mistake(
      "No sign",
      [.replace(.suite, "- false-positive-rate <= 5%", "- accuracy 85%")],
      #"""
      prompts/tickets/suite.yaml:13:13: error: not a condition: expected >=, <=, > or <
        13 |   - accuracy 85%
           |             ^
        fix: write 'accuracy >= 85%'

      """#,
      .item
    ),
    Mistake(
      "Words for a sign",
      [.replace(.suite, "- false-positive-rate <= 5%", "- accuracy at least 85%")],
      #"""
      prompts/tickets/suite.yaml:13:13: error: not a condition: expected >=, <=, > or <
        13 |   - accuracy at least 85%
           |             ^
        fix: write 'accuracy >= 85%'

      """#,
      .item
    ),
    Mistake(
      "No percent sign",
      [.replace(.suite, "- false-positive-rate <= 5%", "- accuracy >= 85")],
      #"""
      prompts/tickets/suite.yaml:13:17: error: not a condition: a share cannot be more than 100%
        13 |   - accuracy >= 85
           |                 ^
        fix: write 'accuracy >= 85%'

      """#,
      .item
    ),
    Mistake(
      "A decimal comma",
      [.replace(.suite, "- false-positive-rate <= 5%", "- accuracy >= 0,85")],
      #"""
      prompts/tickets/suite.yaml:13:18: error: not a condition: unexpected ',85'
        13 |   - accuracy >= 0,85
           |                  ^
        fix: write 'accuracy >= 0.85'

      """#,
      .item
    ),
    Mistake(
      "The word percent",
      [.replace(.suite, "- false-positive-rate <= 5%", "- accuracy >= 85 percent")],
      #"""
      prompts/tickets/suite.yaml:13:17: error: not a condition: a share cannot be more than 100%
        13 |   - accuracy >= 85 percent
           |                 ^
        fix: write 'accuracy >= 85%'

      """#,
      .item
    ),
    Mistake(
      "No value",
      [.replace(.suite, "- false-positive-rate <= 5%", "- accuracy >=")],
      #"""
      prompts/tickets/suite.yaml:13:15: error: not a condition: expected a number
        13 |   - accuracy >=
           |               ^
        fix: write 'accuracy >= 85%'

      """#,
      .item
    ),
    Mistake(
      "A time without a unit",
      [.replace(.suite, "- false-positive-rate <= 5%", "- p95(latency) < 800")],
      #"""
      prompts/tickets/suite.yaml:13:20: error: not a condition: a number without a unit cannot be used with 'latency'
        13 |   - p95(latency) < 800
           |                    ^
        fix: write 'p95(latency) < 800 ms'

      """#,
      .item
    ),
    Mistake(
      "An amount without a dollar sign",
      [.replace(.suite, "- false-positive-rate <= 5%", "- mean(cost) < 0.01")],
      #"""
      prompts/tickets/suite.yaml:13:18: error: not a condition: a number without a unit cannot be used with 'cost'
        13 |   - mean(cost) < 0.01
           |                  ^
        fix: write 'mean(cost) < $0.01'

      """#,
      .item
    ),
    Mistake(
      "A mapping",
      [.replace(.suite, "- false-positive-rate <= 5%", "- accuracy: 0.85")],
      #"""
      prompts/tickets/suite.yaml:13:5: error: an entry of 'gates' must be a text, not a mapping
        13 |   - accuracy: 0.85
           |     ^
        fix: write '- accuracy >= 0.85'

      """#,
      .line
    ),
    Mistake(
      "No margin",
      [.replace(.suite, "- false-positive-rate <= 5%", "- no regression in accuracy")],
      #"""
      prompts/tickets/suite.yaml:13:29: error: not a condition: expected 'beyond'
        13 |   - no regression in accuracy
           |                             ^
        fix: write 'no regression in accuracy beyond 5 points'

      """#,
      .item
    ),
    Mistake(
      "Two in a line",
      [.replace(.suite, "- false-positive-rate <= 5%", "- accuracy >= 85% and cost < 1")],
      #"""
      prompts/tickets/suite.yaml:13:21: error: not a condition: unexpected 'and cost < 1'
        13 |   - accuracy >= 85% and cost < 1
           |                     ^
        fix: write each condition as a separate entry

      """#,
      .edit("accuracy >= 85% and cost < 1", "accuracy >= 85%")
    ),
    Mistake(
      "Gates as a text",
      [
        .replace(
          .suite,
          "gates:\n  - accuracy >= 85%\n  - false-positive-rate <= 5%",
          "gates: accuracy >= 85%"
        )
      ],
      #"""
      prompts/tickets/suite.yaml:11:8: error: 'gates' must be a list, not a text
        11 | gates: accuracy >= 85%
           |        ^
        fix: write 'gates: ["accuracy >= 85%"]'

      """#,
      .line
    ),
    Mistake(
      "Gates as a mapping",
      [
        .replace(
          .suite,
          "gates:\n  - accuracy >= 85%\n  - false-positive-rate <= 5%",
          "gates:\n  accuracy: 85%"
        )
      ],
      #"""
      prompts/tickets/suite.yaml:12:3: error: 'gates' must be a list, not a mapping
        12 |   accuracy: 85%
           |   ^
        fix: begin each entry with '- ', as in '- accuracy >= 85%'

      """#,
      .edit("  accuracy: 85%", "  - accuracy >= 85%")
    ),
    Mistake(
      "A tag that no case has",
      [.replace(.suite, "- false-positive-rate <= 5%", "- accuracy[urgnt] >= 5%")],
      #"""
      prompts/tickets/suite.yaml:13:5: error: no case has the tag 'urgnt'
        13 |   - accuracy[urgnt] >= 5%
           |     ^
        fix: did you mean 'urgent'?

      """#,
      .edit("urgnt", "urgent")
    ),
  ]
}

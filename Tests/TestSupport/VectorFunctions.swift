import SluiceStatistics
package import SluiceSupport

/// The statistics, under the names and with the arguments of the reference vectors.
package enum VectorFunctions {
  package typealias Function = @Sendable (_ arguments: VectorArguments) throws -> JSONValue

  /// The functions of `SluiceStatistics`.
  package static let statistics: [String: Function] = [
    distributions, rates, pairedOutcomes, pairedNumbers, repetitions, power, agreement, numbers,
  ].reduce(into: [:]) { $0.merge($1) { first, _ in first } }

  // MARK: Distributions

  private static let distributions: [String: Function] = [
    "normal_cdf": { JSONValue(NormalDistribution.cumulative(try $0.number("x"))) },
    "normal_quantile": { JSONValue(NormalDistribution.quantile(try $0.number("p"))) },
    "student_t_quantile": {
      JSONValue(
        StudentT.quantile(try $0.number("p"), degreesOfFreedom: try $0.number("df"))
      )
    },
    "student_t_two_sided_p": {
      JSONValue(
        StudentT.twoSidedP(try $0.number("t"), degreesOfFreedom: try $0.number("df"))
      )
    },
    "beta_quantile": {
      JSONValue(
        BetaDistribution.quantile(
          try $0.number("p"),
          try $0.number("a"),
          try $0.number("b")
        )
      )
    },
    "binomial_cdf": {
      JSONValue(
        Binomial.cumulative(try $0.count("k"), of: try $0.count("n"), try $0.number("p"))
      )
    },
  ]

  // MARK: Rates

  private static let rates: [String: Function] = [
    "wilson_interval": {
      let (k, n) = (try $0.count("k"), try $0.count("n"))
      return n > 0
        ? JSONValue(Wilson.interval(successes: k, of: n, confidence: $0.confidence)) : nil
    },
    "clopper_pearson_interval": {
      let (k, n) = (try $0.count("k"), try $0.count("n"))
      return n > 0
        ? JSONValue(ClopperPearson.interval(successes: k, of: n, confidence: $0.confidence)) : nil
    },
    "rule_of_three": {
      let n = try $0.count("n")
      guard n > 0 else { return nil }
      let confidence = $0.values["confidence"]?.number ?? 0.95
      return [
        "three_over_n": JSONValue(RateClaim.ruleOfThree(n)),
        "exact_upper": JSONValue(
          ClopperPearson.upperBound(successes: 0, of: n, confidence: confidence)
        ),
      ]
    },
    "newcombe_independent": {
      let (n1, n2) = (try $0.count("n1"), try $0.count("n2"))
      guard n1 > 0, n2 > 0 else { return nil }
      return JSONValue(
        Newcombe.independent(
          (try $0.count("k1"), n1),
          minus: (try $0.count("k2"), n2),
          confidence: $0.confidence
        )
      )
    },
    "rogan_gladen": {
      JSONValue(
        RoganGladen.rate(
          observed: try $0.number("observed"),
          sensitivity: try $0.number("sensitivity"),
          specificity: try $0.number("specificity")
        )
      )
    },
    "rogan_gladen_interval": {
      let corrected = RoganGladen(
        judged: (try $0.count("positives"), try $0.count("judged")),
        positives: (try $0.count("true_positives"), try $0.count("human_positives")),
        negatives: (try $0.count("true_negatives"), try $0.count("human_negatives"))
      )
      guard let corrected else { return nil }
      let interval = corrected.interval(confidence: $0.confidence)
      return [
        "estimate": JSONValue(corrected.estimate),
        "standard_error": JSONValue(corrected.standardError),
        "low": JSONValue(interval.low),
        "high": JSONValue(interval.high),
      ]
    },
  ]

  // MARK: Paired outcomes

  private static let pairedOutcomes: [String: Function] = [
    "mcnemar_exact": { JSONValue(McNemar.exact(try $0.count("b"), try $0.count("c"))) },
    "mcnemar_midp": { JSONValue(McNemar.midP(try $0.count("b"), try $0.count("c"))) },
    "mcnemar_one_sided": {
      let (worse, better) = (try $0.count("worse"), try $0.count("better"))
      return [
        "exact": JSONValue(McNemar.oneSided(worse: worse, better: better)),
        "midp": JSONValue(McNemar.oneSidedMidP(worse: worse, better: better)),
      ]
    },
    "tango_paired_interval": {
      let (b, c) = (try $0.count("only_first"), try $0.count("only_second"))
      let n = try $0.count("both") + b + c + $0.count("neither")
      guard n > 0 else { return nil }
      return JSONValue(
        Tango.interval(harmful: b, beneficial: c, of: n, confidence: $0.confidence)
      )
    },
    "newcombe_paired": {
      // The vectors contain the first rate minus the second one.
      JSONValue(
        Newcombe.paired(
          both: try $0.count("a"),
          harmful: try $0.count("c"),
          beneficial: try $0.count("b"),
          neither: try $0.count("d"),
          confidence: $0.confidence
        )
      )
    },
    "holm": { .array(MultipleTesting.holm(try $0.numbers("p")).map { JSONValue($0) }) },
    "benjamini_hochberg": {
      .array(MultipleTesting.benjaminiHochberg(try $0.numbers("p")).map { JSONValue($0) })
    },
  ]

  // MARK: Paired numbers

  private static let pairedNumbers: [String: Function] = [
    "mean_t_interval": {
      guard let estimate = MeanEstimate(try $0.numbers("values")) else { return nil }
      let interval = estimate.interval(confidence: $0.confidence)
      return [
        "mean": JSONValue(estimate.mean),
        "standard_error": JSONValue(estimate.standardError),
        "low": JSONValue(interval?.low),
        "high": JSONValue(interval?.high),
      ]
    },
    "paired_t_interval": {
      let estimate = MeanEstimate(
        baseline: try $0.numbers("first"),
        candidate: try $0.numbers("second")
      )
      guard let estimate else { return nil }
      let interval = estimate.interval(confidence: $0.confidence)
      return [
        "mean_difference": JSONValue(estimate.mean),
        "low": JSONValue(interval?.low),
        "high": JSONValue(interval?.high),
        "p": JSONValue(estimate.twoSidedP()),
        "df": JSONValue(Double(estimate.n - 1)),
      ]
    },
    "sign_flip_permutation": {
      guard let test = SignFlip(try $0.numbers("differences")) else { return nil }
      return [
        "two_sided": JSONValue(test.twoSided),
        "greater": JSONValue(test.greater),
        "less": JSONValue(test.less),
      ]
    },
  ]

  // MARK: Repetitions

  private static let repetitions: [String: Function] = [
    "pass_at_k": {
      JSONValue(
        PassAtK.any(try $0.count("k"), passes: try $0.count("c"), of: try $0.count("n"))
      )
    },
    "pass_hat_k": {
      JSONValue(
        PassAtK.all(try $0.count("k"), passes: try $0.count("c"), of: try $0.count("n"))
      )
    },
    "repeats_summary": {
      let repeats = try $0.count("repeats")
      guard repeats > 0,
        let variance = RepeatVariance(passes: try $0.counts("passes"), repeats: repeats)
      else { return nil }
      return [
        "mean": JSONValue(variance.mean),
        "standard_error_of_mean": JSONValue(variance.standardError),
        "within_variance": JSONValue(variance.withinVariance),
        "between_mean_square": JSONValue(variance.betweenMeanSquare),
        "mean_flip_rate": JSONValue(variance.withinVariance.map { 2 * $0 }),
      ]
    },
  ]

  // MARK: Power

  private static let power: [String: Function] = [
    "n_items_mcnemar": {
      JSONValue(
        Power.cases(
          harmful: try $0.number("p10"),
          beneficial: try $0.number("p01"),
          goal: $0.goal
        )
      )
    }
  ]

  // MARK: Agreement

  private static let agreement: [String: Function] = [
    "cohens_kappa_ci": {
      guard let kappa = CohenKappa(try $0.list("rater1"), try $0.list("rater2")) else {
        return nil
      }
      let interval = kappa.interval(confidence: $0.confidence)
      return [
        "kappa": JSONValue(kappa.value),
        "standard_error": JSONValue(kappa.standardError),
        "low": JSONValue(interval.low),
        "high": JSONValue(interval.high),
      ]
    },
    "cohens_kappa_weighted": {
      let weights: CohenKappa.Weights
      switch try $0.text("weights") {
      case "linear": weights = .linear
      case "quadratic": weights = .quadratic
      default: throw VectorArguments.Problem(name: "weights")
      }
      return JSONValue(
        CohenKappa.weighted(
          try $0.list("rater1"),
          try $0.list("rater2"),
          scale: try $0.list("labels"),
          weights: weights
        )
      )
    },
    "ppi_mean": {
      let mean = PredictionPoweredMean(
        human: try $0.numbers("human"),
        judged: try $0.numbers("judge_on_labelled"),
        unlabelled: try $0.numbers("judge_on_unlabelled"),
        isTuned: $0.values["tuned"] == true
      )
      guard let mean else { return nil }
      let interval = mean.interval(confidence: $0.confidence)
      return [
        "estimate": JSONValue(mean.estimate),
        "low": JSONValue(interval.low),
        "high": JSONValue(interval.high),
      ]
    },
    "fleiss_kappa": { JSONValue(FleissKappa.value(try $0.rows("counts"))) },
    "krippendorff_alpha": { arguments in
      let level: KrippendorffAlpha.Level
      switch try arguments.text("level") {
      case "nominal": level = .nominal
      case "ordinal": level = .ordinal
      case "interval": level = .interval
      default: throw VectorArguments.Problem(name: "level")
      }
      // Each name becomes a different number.
      var names: [JSONValue: Double] = [:]
      let ratings = try arguments.list("raters").map { rater in
        guard let list = rater.array else { throw VectorArguments.Problem(name: "raters") }
        return list.map { rating -> Double? in
          if rating == .null { return nil }
          if let number = rating.number { return number }
          if names[rating] == nil { names[rating] = Double(names.count) }
          return names[rating]
        }
      }
      return JSONValue(KrippendorffAlpha.value(ratings, level: level))
    },
  ]

  // MARK: Numbers

  private static let numbers: [String: Function] = [
    "percentile_type7": {
      let values = try $0.numbers("values")
      return .array(try $0.numbers("q").map { JSONValue(Percentile.of($0, in: values)) })
    },
    "quantile_ci_ranks": {
      let ranks = RankInterval.ranks(
        of: 100 * (try $0.number("q")),
        n: try $0.count("n"),
        confidence: $0.confidence
      )
      return [
        "low_rank": JSONValue(ranks.low.map(Double.init)),
        "high_rank": JSONValue(ranks.high.map(Double.init)),
      ]
    },
    "pearson": { JSONValue(Correlation.pearson(try $0.numbers("x"), try $0.numbers("y"))) },
    "spearman": { JSONValue(Correlation.spearman(try $0.numbers("x"), try $0.numbers("y"))) },
    "kendall_tau_b": {
      JSONValue(Correlation.kendallTauB(try $0.numbers("x"), try $0.numbers("y")))
    },
    "brier": {
      JSONValue(
        Brier.score(
          probabilities: try $0.numbers("probability"),
          outcomes: try $0.outcomes("outcome")
        )
      )
    },
  ]
}

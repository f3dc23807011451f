import SluiceSupport

extension SuitePlan {
  /// A case with its own assertions.
  package struct PlannedCase: Sendable {
    package var stored: StoredCase
    package var assertions: [BoundScorer]

    package init(_ stored: StoredCase, assertions: [BoundScorer] = []) {
      self.stored = stored
      self.assertions = assertions
    }

    /// The whole case, read from its file or from memory.
    ///
    /// A case that is set here stays in memory.
    package var testCase: TestCase {
      get { stored.testCase }
      set { stored = StoredCase(newValue) }
    }
  }

  /// The cases of a plan, in their order.
  package struct Cases: Sendable {
    private var stored: [StoredCase]
    /// The cases' own assertions, by the index of the case.
    ///
    /// Most cases have no assertions.
    private var assertions: [Int: [BoundScorer]]

    package init(_ stored: [StoredCase], assertions: [Int: [BoundScorer]]) {
      self.stored = stored
      self.assertions = assertions
    }

    package init(_ cases: [PlannedCase]) {
      self.init(cases.map(\.stored), assertions: [:])
      for (index, planned) in cases.enumerated() where !planned.assertions.isEmpty {
        assertions[index] = planned.assertions
      }
    }

    /// Returns a case without its assertions.
    func stored(_ index: Int) -> StoredCase { stored[index] }

    /// Returns a case's own assertions.
    package func assertions(_ index: Int) -> [BoundScorer] {
      assertions.isEmpty ? [] : assertions[index] ?? []
    }

    /// True if a case belongs to a cluster.
    package var hasClusters: Bool { stored.contains { $0.labels.cluster != nil } }
  }
}

extension SuitePlan.Cases: RandomAccessCollection, MutableCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { stored.count }

  package subscript(index: Int) -> SuitePlan.PlannedCase {
    get {
      SuitePlan.PlannedCase(
        stored[index],
        assertions: assertions(index)
      )
    }
    set {
      stored[index] = newValue.stored
      assertions[index] = newValue.assertions.isEmpty ? nil : newValue.assertions
    }
  }
}
